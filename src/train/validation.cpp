#include "train/validation.h"

#include <ATen/ATen.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "data/batch.h"
#include "data/batch_plan.h"
#include "decode/batch_search.h"
#include "decode/model_stepper.h"
#include "evaluate/bleu.h"
#include "evaluate/chrf.h"
#include "support/interrupt.h"
#include "support/line_reader.h"
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
      sources_(first_lines(settings.data.valid_source, config_.max_sentences)),
      references_(first_lines(settings.data.valid_target, config_.max_sentences)) {}

double Validator::loss(Seq2Seq& model) const {
  const at::NoGradGuard no_gradients;
  const auto plan = BatchPlan::sequential(pairs_, config_.batch_size);
  double sum = 0.0;
  int64_t tokens = 0;
  for (int64_t i = 0; i < plan.size(); ++i) {
    stop_if_interrupted();
    const auto batch = make_batch(pairs_, plan[i]).to(device_);
    sum += batch_loss(model, batch, 0.0).negative_log_likelihood.item<double>();
    tokens += batch.num_target_tokens;
  }
  return sum / static_cast<double>(tokens);
}

std::vector<std::string> Validator::translate(Seq2Seq& model) const {
  SearchOptions options;
  options.beam_size = config_.beam_size;
  options.length_penalty = config_.length_penalty;
  std::vector<std::vector<int32_t>> sources;
  for (const auto& line : sources_) sources.push_back(source_.encode(line));
  ModelStepper stepper(model);
  const auto search = make_search(options);
  const auto search_unless_interrupted = [&](Stepper& on, const torch::Tensor& source,
                                             const torch::Tensor& lengths,
                                             const SentenceGuides& guides) {
    stop_if_interrupted();
    return search(on, source, lengths, guides);
  };
  std::vector<std::string> translations;
  for (const auto& hypotheses :
       search_all(stepper, sources, config_.batch_size, search_unless_interrupted)) {
    translations.push_back(target_.decode(hypotheses.front().tokens));
  }
  return translations;
}

ValidationResult Validator::run(Seq2Seq& model) const {
  const auto started = std::chrono::steady_clock::now();
  const bool was_training = model->is_training();
  model->eval();
  ValidationResult result;
  result.loss = loss(model);
  result.perplexity = std::exp(result.loss);
  result.hypotheses = translate(model);
  result.bleu = corpus_bleu(result.hypotheses, references_).score;
  result.chrf = corpus_chrf(result.hypotheses, references_).score;
  model->train(was_training);
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

}  // namespace nmt
