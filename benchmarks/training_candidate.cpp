#include "benchmarks/training_candidate.h"

#include <ATen/ATen.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "errors/error.h"
#include "numbers/parse.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace {

Seq2Seq make_model(const Seq2SeqOptions& options, const TrainConfig& config) {
  torch::manual_seed(static_cast<uint64_t>(config.seed));
  Seq2Seq model = make_seq2seq(options);
  model->train();
  return model;
}

class Path : public TrainingCandidate {
 public:
  Path(const Seq2SeqOptions& options, const TrainConfig& config, int threads,
       const BenchBatches& batches)
      : batches_(batches),
        learning_rate_(config.learning_rate),
        model_(make_model(options, config)),
        step_(make_training_step(model_, config, torch::kCPU, threads)) {}

  double run() override {
    const auto begin = std::chrono::steady_clock::now();
    for (const auto& batch : batches_) {
      step_->accumulate_gradient(batch, 1.0 / static_cast<double>(batch.num_target_tokens));
      step_->update(learning_rate_);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  const BenchBatches& batches_;
  double learning_rate_;
  Seq2Seq model_;
  std::unique_ptr<TrainingStep> step_;
};

class PythonProgram : public TrainingCandidate {
 public:
  PythonProgram(const std::string& python, const std::string& program,
                const Seq2SeqOptions& options, const TrainConfig& config, int threads,
                const std::filesystem::path& batches_file)
      : program_({python,
                  program,
                  "--batches",
                  batches_file.string(),  //
                  "--source-vocabulary",
                  std::to_string(options.source_vocabulary_size),
                  "--target-vocabulary",
                  std::to_string(options.target_vocabulary_size),
                  "--embedding-size",
                  std::to_string(options.embedding_size),  //
                  "--hidden-size",
                  std::to_string(options.hidden_size),  //
                  "--num-layers",
                  std::to_string(options.num_layers),  //
                  "--dropout",
                  shortest_text(options.dropout),  //
                  "--learning-rate",
                  shortest_text(config.learning_rate),
                  "--label-smoothing",
                  shortest_text(config.label_smoothing),
                  "--clip-norm",
                  shortest_text(config.clip_norm),  //
                  "--threads",
                  std::to_string(threads)},
                 {Streams::kPipe}) {}

  double run() override { return ask_seconds(program_, "run"); }

 private:
  Subprocess program_;
};

}  // namespace

std::unique_ptr<TrainingCandidate> make_path(const Seq2SeqOptions& options,
                                             const TrainConfig& config, int threads,
                                             const BenchBatches& batches) {
  return std::make_unique<Path>(options, config, threads, batches);
}

void write_batches(const BenchBatches& batches, const std::filesystem::path& path) {
  std::ofstream file(path);
  for (const auto& batch : batches) {
    nlohmann::json json;
    for (int64_t row = 0; row < batch.source.size(0); ++row) {
      json["source"].push_back(tokens_of(batch.source, row));
      json["target"].push_back(tokens_of(batch.target_output, row));
    }
    file << json.dump() << '\n';
  }
  if (!file.flush()) throw Error(path.string() + ": cannot be written");
}

double ask_seconds(Subprocess& program, const std::string& line) {
  const auto answer = program.ask(line);
  if (const auto seconds = parse_number<double>(answer)) return *seconds;
  throw Error("the Python program answered '" + answer + "'; expected seconds");
}

std::unique_ptr<TrainingCandidate> make_python(const std::string& python,
                                               const std::string& program,
                                               const Seq2SeqOptions& options,
                                               const TrainConfig& config, int threads,
                                               const std::filesystem::path& batches_file) {
  if (options.cell != Cell::kGru || !options.input_feeding ||
      options.tied_embeddings != TiedEmbeddings::kNone ||
      config.optimizer != OptimizerKind::kAdam) {
    throw Error(
        "the Python program has a GRU with input feeding, no tied embeddings, and Adam; "
        "compare with such settings");
  }
  return std::make_unique<PythonProgram>(python, program, options, config, threads, batches_file);
}

}  // namespace nmt
