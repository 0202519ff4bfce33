#include "train/validation.h"

#include <ATen/ATen.h>
#include <spdlog/fmt/fmt.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "data/batch.h"
#include "data/length_batches.h"
#include "files/line_reader.h"
#include "metrics/chrf.h"
#include "processes/interrupt.h"
#include "text/placeholders.h"
#include "text/word_vocabulary.h"
#include "threads/threads.h"
#include "train/objectives/objective.h"
#include "train/validation_script.h"

namespace nmt {
namespace {

/// At most `limit` lines. With `spread` from all parts of the file, for sets with several
/// languages, which may be in blocks.
std::vector<std::string> lines_of(const std::string& path, int64_t limit, bool spread) {
  auto lines = read_lines(path);
  const auto most = static_cast<size_t>(limit);
  if (limit <= 0 || lines.size() <= most) return lines;
  for (size_t i = 0; spread && i < most; ++i) lines[i] = lines[i * lines.size() / most];
  lines.resize(most);
  return lines;
}

TranslationSearch search_of(const Settings& settings, const torch::Device& device) {
  TranslationSearch search;
  search.fused = device.is_cpu() && settings.train.engine != TrainingEngine::kPlain;
  search.threads = number_of_threads(static_cast<int>(settings.train.threads));
  search.batch_size = settings.validation.batch_size;
  return search;
}

}  // namespace

double ValidationResult::value_of(ValidationMetric metric) const {
  switch (metric) {
    case ValidationMetric::kLoss:
      return loss;
    case ValidationMetric::kPerplexity:
      return perplexity;
    case ValidationMetric::kBleu:
      return bleu;
    case ValidationMetric::kChrf:
      return chrf;
    case ValidationMetric::kScript:
      return script;
  }
  return loss;
}

double guessing_loss(const Seq2SeqImpl& model) {
  return std::log(static_cast<double>(model.options().target_vocabulary_size));
}

std::string guessing_text(const Seq2SeqImpl& model) {
  return fmt::format("loss {:.3f} with a vocabulary of {}", guessing_loss(model),
                     model.options().target_vocabulary_size);
}

Validator::Validator(const Settings& settings, Tokenizer source, Tokenizer target,
                     ParallelCorpus pairs, torch::Device device, ProcessGroup& group)
    : config_(settings.validation),
      source_(std::move(source)),
      languages_(source_),
      target_(std::move(target)),
      placeholders_(placeholders_of({source_, target_})),
      pairs_(std::move(pairs)),
      device_(device),
      group_(group),
      search_(search_of(settings, device)),
      sources_(lines_of(settings.data.valid_source, config_.max_sentences, !languages_.empty())),
      references_(text_of_tokens(
          lines_of(settings.data.valid_target, config_.max_sentences, !languages_.empty()),
          target_)),
      bleu_options_(bleu_options_for(references_)) {}

// LibTorch's threads spin while they wait for each other, which on a busy machine takes longer than
// the work; the fused engine's threads do not.
void Validator::measure_fused_loss(const Seq2Seq& model, Measurements& measurements) const {
  std::vector<std::vector<int32_t>> sources;
  std::vector<std::vector<int32_t>> targets;
  for (int64_t pair = group_.rank(); pair < pairs_.size(); pair += group_.size()) {
    const auto source = pairs_.source(pair);
    const auto target = pairs_.target(pair);
    sources.emplace_back(source.begin(), source.end());
    targets.emplace_back(target.begin(), target.end());
    measurements.tokens += static_cast<int64_t>(targets.back().size()) + 1;
  }
  measurements.loss_sum = -search_.fused_log_probability(model, sources, targets);
}

void Validator::measure_loss(Seq2Seq& model, Measurements& measurements) const {
  if (search_.is_fused(model)) return measure_fused_loss(model, measurements);
  const at::NoGradGuard no_gradients;
  const auto batches = batches_by_length(pairs_, config_.batch_size);
  for (auto i = static_cast<size_t>(group_.rank()); i < batches.size();
       i += static_cast<size_t>(group_.size())) {
    stop_if_interrupted("validation interrupted");
    const auto batch = make_batch({pairs_}, batches.pairs_of(i)).to(device_);
    measurements.loss_sum += batch_loss(model, batch, {}).negative_log_likelihood.item<double>();
    measurements.tokens += batch.num_target_tokens;
  }
}

std::vector<std::string> Validator::translate(Seq2Seq& model) const {
  SearchOptions options;
  options.beam_size = config_.beam_size;
  options.length_penalty = config_.length_penalty;
  options.scores = false;
  const auto first = static_cast<size_t>(group_.rank());
  const auto step = static_cast<size_t>(group_.size());
  std::vector<std::vector<int32_t>> sources;
  for (size_t i = first; i < sources_.size(); i += step) {
    sources.push_back(languages_.encode(with_placeholders(sources_[i], placeholders_), source_));
  }
  std::vector<std::string> translations;
  for (const auto& hypotheses : search_.run(model, options, sources)) {
    const auto& source = sources_[first + translations.size() * step];
    translations.push_back(
        without_placeholders(target_.decode(hypotheses.front().tokens), source, placeholders_));
  }
  return translations;
}

ValidationResult Validator::join(const Measurements& measurements) const {
  ValidationResult result;
  const auto sums =
      group_.all_reduce({measurements.loss_sum, static_cast<double>(measurements.tokens)});
  result.loss = sums[0] / sums[1];
  result.perplexity = std::exp(result.loss);
  std::vector<std::vector<std::string>> shares;
  std::string hypotheses;
  nlohmann::json::to_msgpack(measurements.hypotheses, hypotheses);  // texts may contain any bytes
  for (const auto& bytes : group_.gather(hypotheses)) {
    shares.push_back(nlohmann::json::from_msgpack(bytes).get<std::vector<std::string>>());
  }
  for (size_t i = 0; i < sources_.size() && !shares[i % shares.size()].empty(); ++i) {
    result.hypotheses.push_back(shares[i % shares.size()][i / shares.size()]);
  }
  if (result.hypotheses.empty()) return result;
  auto scored = result.hypotheses;
  for (size_t i = 0; i < scored.size(); ++i) {
    if (references_[i].empty()) scored[i].clear();  // two empty sides add to no metric
  }
  result.bleu = corpus_bleu(scored, references_, bleu_options_).score;
  result.chrf = corpus_chrf(scored, references_);
  return result;
}

/// Rank 0 runs the script for all. A failing script must not end training.
void Validator::rate(ValidationResult& result) const {
  if (config_.script.empty() || result.hypotheses.empty()) return;
  bool stopped = false;
  double rating = 0.0;
  if (group_.is_rank_zero()) {
    try {
      rating = rate_by_script(config_.script, {result.hypotheses, references_, sources_});
    } catch (const Interrupted&) {
      stopped = true;
    } catch (const Error& error) {
      result.script_failure = error.what();
      rating = std::numeric_limits<double>::quiet_NaN();
    }
  }
  if (group_.any(stopped)) throw Interrupted("validation interrupted");
  result.script = group_.all_reduce({rating}).front();
}

ValidationResult Validator::run(Seq2Seq& model) const {
  const auto started = std::chrono::steady_clock::now();
  const bool was_training = model->is_training();
  model->eval();
  Measurements measurements;
  bool stopped = false;
  try {
    measure_loss(model, measurements);
    if (model->options().architecture != Architecture::kLanguageModel) {
      measurements.hypotheses = translate(model);
    }
  } catch (const Interrupted&) {
    stopped = true;
  }
  model->train(was_training);
  // The signal may have reached only one process.
  if (group_.any(stopped)) throw Interrupted("validation interrupted");
  auto result = join(measurements);
  rate(result);
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

}  // namespace nmt
