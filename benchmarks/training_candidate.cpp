#include "benchmarks/training_candidate.h"

#include <ATen/ATen.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "benchmarks/measure.h"
#include "checkpoint/model_files.h"
#include "checkpoint/weights.h"
#include "config/choice.h"
#include "errors/error.h"
#include "numbers/parse.h"
#include "train/steps/training_step.h"

namespace nmt {

Seq2Seq make_bench_model(const Seq2SeqOptions& options, const TrainConfig& config) {
  torch::manual_seed(static_cast<uint64_t>(config.seed));
  Seq2Seq model = make_seq2seq(options);
  if (!config.initial_model.empty()) {
    fill_weights(model, read_model_files(config.initial_model).weights);
  }
  model->train();
  return model;
}

namespace {

class Path : public TrainingCandidate {
 public:
  Path(const Seq2SeqOptions& options, const TrainConfig& config, const torch::Device& device,
       int threads, const BenchBatches& batches, const Tokenizers& tokenizers)
      : device_(device),
        learning_rate_(config.learning_rate),
        model_(make_bench_model(options, config)) {
    for (const auto& batch : batches) batches_.push_back(batch.to(device));
    model_->to(device);
    step_ = make_training_step(model_, config, device, threads, tokenizers);
  }

  double run() override {
    return seconds_of(device_, [&] {
      DeferredNumber norm = 0.0;
      for (const auto& batch : batches_) {
        step_->accumulate_gradient(batch, 1.0 / static_cast<double>(batch.num_target_tokens));
        // Trainer, too, waits for an update's result while the next one's gradients are computed.
        [[maybe_unused]] const double last_norm = norm;
        norm = step_->update(learning_rate_);
      }
    });
  }

 private:
  BenchBatches batches_;
  torch::Device device_;
  double learning_rate_;
  Seq2Seq model_;
  std::unique_ptr<TrainingStep> step_;
};

class PythonTraining : public TrainingCandidate {
 public:
  explicit PythonTraining(const std::vector<std::string>& command) : program_(command) {}

  double run() override { return program_.ask_seconds("run"); }

 private:
  PythonProgram program_;
};

/// The command with two new pipes of the folder, `input` and `output`, as its standard streams.
std::vector<std::string> with_pipes(const std::filesystem::path& folder,
                                    std::vector<std::string> command) {
  for (const auto* name : {"input", "output"}) {
    if (::mkfifo((folder / name).c_str(), 0600) == 0) continue;
    throw Error(folder.string() + ": a pipe cannot be created: " + std::strerror(errno));
  }
  command.insert(command.begin(),
                 {"/bin/sh", "-c", R"(exec "$@" <"$0/input" >"$0/output")", folder.string()});
  return command;
}

}  // namespace

std::unique_ptr<TrainingCandidate> make_path(const Seq2SeqOptions& options,
                                             const TrainConfig& config, const torch::Device& device,
                                             int threads, const BenchBatches& batches,
                                             const Tokenizers& tokenizers) {
  return std::make_unique<Path>(options, config, device, threads, batches, tokenizers);
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

PythonProgram::PythonProgram(const std::vector<std::string>& command)
    : program_(with_pipes(folder_.path(), command), {}),
      input_(folder_.path() / "input"),
      output_(folder_.path() / "output") {}

double PythonProgram::ask_seconds(const std::string& line) {
  std::string answer;
  if (!(input_ << line << std::endl) || !std::getline(output_, answer)) {
    throw Error("the Python program ended without an answer; see its messages above");
  }
  if (const auto seconds = parse_number<double>(answer)) return *seconds;
  throw Error("the Python program answered '" + answer + "'; expected seconds");
}

std::vector<std::string> python_command(const PythonRun& run, const Seq2SeqOptions& options) {
  std::vector<std::string> command = {
      run.python, run.program, "--architecture", choice_name(options.architecture),
      "--device", run.device,  "--precision",    run.precision};
  if (!run.compile_mode.empty()) command.insert(command.end(), {"--compile", run.compile_mode});
  if (options.pre_norm) command.emplace_back("--pre-norm");
  const auto add = [&](const char* name, int64_t value) {
    command.insert(command.end(), {name, std::to_string(value)});
  };
  add("--source-vocabulary", options.source_vocabulary_size);
  add("--target-vocabulary", options.target_vocabulary_size);
  add("--embedding-size", options.embedding_size);
  add("--hidden-size", options.hidden_size);
  add("--num-layers", options.num_layers);
  add("--heads", options.heads);
  add("--feed-forward-size", options.feed_forward_size);
  add("--threads", run.threads);
  return command;
}

std::unique_ptr<TrainingCandidate> make_python(const PythonRun& run, const Seq2SeqOptions& options,
                                               const TrainConfig& config,
                                               const std::filesystem::path& batches_file) {
  const bool is_transformer = options.architecture == Architecture::kTransformer;
  if ((!is_transformer && (options.cell != Cell::kGru || !options.input_feeding)) ||
      options.tied_embeddings != TiedEmbeddings::kNone ||
      config.optimizer != OptimizerKind::kAdam) {
    throw Error(
        "the Python program has a Transformer and a GRU with input feeding, no tied embeddings, "
        "and Adam; compare with such settings");
  }
  auto command = python_command(run, options);
  command.insert(command.end(), {"--batches", batches_file.string(),                          //
                                 "--dropout", shortest_text(options.dropout),                 //
                                 "--learning-rate", shortest_text(config.learning_rate),      //
                                 "--label-smoothing", shortest_text(config.label_smoothing),  //
                                 "--clip-norm", shortest_text(config.clip_norm)});
  return std::make_unique<PythonTraining>(command);
}

}  // namespace nmt
