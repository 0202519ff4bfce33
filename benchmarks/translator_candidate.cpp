#include "benchmarks/translator_candidate.h"

#include <ATen/Parallel.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "benchmarks/measure.h"
#include "decode/batch_search.h"
#include "decode/fused_search.h"
#include "decode/model_stepper.h"
#include "decode/network_model.h"
#include "errors/error.h"

namespace nmt {
namespace {

BenchSentences sentences_of(const TranslationRun& run, const BenchSentences& sentences) {
  const auto first = sentences.begin() + static_cast<int64_t>(run.first);
  return {first, first + static_cast<int64_t>(run.count)};
}

template <typename Translate>
double timed(const torch::Device& device, int64_t& tokens, Translate&& translate) {
  std::vector<std::vector<Hypothesis>> found;
  const double seconds = seconds_of(device, [&] { found = translate(); });
  tokens = 0;
  for (const auto& hypotheses : found) {
    tokens += static_cast<int64_t>(hypotheses.front().tokens.size());
  }
  return seconds;
}

class PlainTranslation : public TranslatorCandidate {
 public:
  PlainTranslation(const Model& model, const BenchSentences& sentences, int threads)
      : sentences_(sentences),
        threads_(threads),
        stepper_(model.network),
        team_(stepper_.device().is_cpu() ? 1 : threads) {}

  double run(const TranslationRun& run, int64_t& tokens) override {
    if (at::get_num_threads() != threads_) at::set_num_threads(threads_);
    const auto sources = sentences_of(run, sentences_);
    return timed(stepper_.device(), tokens, [&] {
      return search_all(stepper_, sources, run.batch_size, run.search, {}, &team_);
    });
  }

 private:
  const BenchSentences& sentences_;
  int threads_;
  ModelStepper stepper_;
  ThreadTeam team_;
};

class FusedTranslation : public TranslatorCandidate {
 public:
  FusedTranslation(const Model& model, const BenchSentences& sentences, int threads,
                   WeightType type)
      : sentences_(sentences),
        type_(type),
        model_(inference_model_of(model.network, type)),
        team_(threads) {}

  double run(const TranslationRun& run, int64_t& tokens) override {
    const auto sources = sentences_of(run, sentences_);
    return timed(torch::kCPU, tokens,
                 [&] { return fused_search(*model_, sources, run.batch_size, run.search, team_); });
  }

  /// Products in int8 include quantizing, so they cannot be timed apart.
  ProductLists products(const TranslationRun& run) override {
    if (type_ == WeightType::kInt8) return {};
    return record_products(team_, [&] {
      int64_t tokens = 0;
      this->run(run, tokens);
    });
  }

 private:
  const BenchSentences& sentences_;
  WeightType type_;
  std::unique_ptr<InferenceModel> model_;
  ThreadTeam team_;
};

class PythonTranslation : public TranslatorCandidate {
 public:
  explicit PythonTranslation(const std::vector<std::string>& command) : program_(command) {}

  double run(const TranslationRun& run, int64_t&) override {
    return program_.ask_seconds(std::to_string(run.search.beam_size) + " " +
                                std::to_string(run.batch_size) + " " + std::to_string(run.count));
  }

 private:
  PythonProgram program_;
};

}  // namespace

std::unique_ptr<TranslatorCandidate> make_plain_translation(const Model& model,
                                                            const BenchSentences& sentences,
                                                            int threads) {
  return std::make_unique<PlainTranslation>(model, sentences, threads);
}

std::unique_ptr<TranslatorCandidate> make_fused_translation(const Model& model,
                                                            const BenchSentences& sentences,
                                                            int threads, WeightType type) {
  return std::make_unique<FusedTranslation>(model, sentences, threads, type);
}

std::unique_ptr<TranslatorCandidate> make_python_translation(
    const PythonRun& run, const Model& model, const BenchSentences& sentences, int64_t length,
    const std::filesystem::path& sentences_file) {
  const auto& options = model.network->options();
  const bool is_transformer = options.architecture == Architecture::kTransformer;
  if (!is_transformer && (options.cell != Cell::kGru || !options.input_feeding)) {
    throw Error(
        "the Python program has a Transformer and a GRU with input feeding; compare with such a "
        "model");
  }
  std::ofstream file(sentences_file);
  for (const auto& sentence : sentences) file << nlohmann::json(sentence).dump() << '\n';
  if (!file.flush()) throw Error(sentences_file.string() + ": cannot be written");
  auto command = python_command(run, options);
  command.insert(command.end(), {"--sentences", sentences_file.string(),  //
                                 "--length", std::to_string(length)});
  return std::make_unique<PythonTranslation>(command);
}

}  // namespace nmt
