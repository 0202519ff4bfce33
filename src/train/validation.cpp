#include "train/validation.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "data/batch.h"
#include "data/length_batches.h"
#include "decode/batch_search.h"
#include "decode/fused_model.h"
#include "decode/fused_search.h"
#include "decode/model_stepper.h"
#include "decode/network_model.h"
#include "evaluate/bleu.h"
#include "evaluate/chrf.h"
#include "support/interrupt.h"
#include "support/line_reader.h"
#include "support/thread_team.h"
#include "support/threads.h"
#include "train/batch_loss.h"

namespace nmt {
namespace {

std::vector<std::string> first_lines(const std::string& path, int64_t limit) {
  auto lines = read_lines(path);
  if (limit > 0 && lines.size() > static_cast<size_t>(limit)) {
    lines.resize(static_cast<size_t>(limit));
  }
  return lines;
}

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted("validation was interrupted");
}

}  // namespace

double ValidationResult::metric(const std::string& name) const {
  if (name == "loss") return loss;
  if (name == "perplexity") return perplexity;
  return name == "bleu" ? bleu : chrf;
}

Validator::Validator(const Settings& settings, Tokenizer source, Tokenizer target,
                     ParallelCorpus pairs, torch::Device device)
    : config_(settings.validation),
      source_(std::move(source)),
      target_(std::move(target)),
      pairs_(std::move(pairs)),
      device_(device),
      fused_(device.is_cpu() && settings.train.engine != "plain"),
      threads_(number_of_threads(static_cast<int>(settings.train.threads))),
      sources_(first_lines(settings.data.valid_source, config_.max_sentences)),
      references_(first_lines(settings.data.valid_target, config_.max_sentences)) {}

double Validator::loss(Seq2Seq& model) const {
  const at::NoGradGuard no_gradients;
  const auto batches = batches_by_length(pairs_, config_.batch_size);
  double sum = 0.0;
  int64_t tokens = 0;
  for (size_t i = 0; i < batches.size(); ++i) {
    stop_if_interrupted();
    const auto batch = make_batch({pairs_}, batches.pairs_of(i)).to(device_);
    sum += batch_loss(model, batch, 0.0).negative_log_likelihood.item<double>();
    tokens += batch.num_target_tokens;
  }
  return sum / static_cast<double>(tokens);
}

std::vector<std::string> Validator::translate(Seq2Seq& model) const {
  SearchOptions options;
  options.beam_size = config_.beam_size;
  options.length_penalty = config_.length_penalty;
  options.scores = false;
  std::vector<std::vector<int32_t>> sources;
  for (const auto& line : sources_) sources.push_back(source_.encode(line));
  std::vector<std::string> translations;
  for (const auto& hypotheses : search(model, options, sources)) {
    translations.push_back(target_.decode(hypotheses.front().tokens));
  }
  return translations;
}

std::vector<std::vector<Hypothesis>> Validator::search(
    const Seq2Seq& model, const SearchOptions& options,
    const std::vector<std::vector<int32_t>>& sources) const {
  if (fused_ && why_not_fused(model->options()).empty())
    return search_fused(model, options, sources);
  ModelStepper stepper(model);
  const auto search_batch = make_search(options);
  const auto unless_interrupted = [&](Stepper& on, const torch::Tensor& source,
                                      const torch::Tensor& lengths, const SentenceGuides& guides) {
    stop_if_interrupted();
    return search_batch(on, source, lengths, guides);
  };
  return search_all(stepper, sources, config_.batch_size, unless_interrupted);
}

/// Some batches at a time, so that an interruption is noticed.
std::vector<std::vector<Hypothesis>> Validator::search_fused(
    const Seq2Seq& model, const SearchOptions& options,
    const std::vector<std::vector<int32_t>>& sources) const {
  constexpr int64_t kBatchesAtOnce = 16;
  ThreadTeam team(threads_);
  const auto fused = make_inference_model(model, WeightType::kFloat32);
  std::vector<std::vector<Hypothesis>> found;
  for (auto begin = sources.begin(); begin != sources.end();) {
    stop_if_interrupted();
    const auto count =
        std::min<int64_t>(kBatchesAtOnce * config_.batch_size, sources.end() - begin);
    const std::vector<std::vector<int32_t>> part(begin, begin + count);
    for (auto& hypotheses : fused_search(*fused, part, config_.batch_size, options, team)) {
      found.push_back(std::move(hypotheses));
    }
    begin += count;
  }
  return found;
}

ValidationResult Validator::run(Seq2Seq& model) const {
  const auto started = std::chrono::steady_clock::now();
  const bool was_training = model->is_training();
  model->eval();
  ValidationResult result;
  result.loss = loss(model);
  result.perplexity = std::exp(result.loss);
  if (model->options().architecture != Architecture::kLanguageModel) {
    result.hypotheses = translate(model);
    result.bleu = corpus_bleu(result.hypotheses, references_).score;
    result.chrf = corpus_chrf(result.hypotheses, references_).score;
  }
  model->train(was_training);
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

}  // namespace nmt
