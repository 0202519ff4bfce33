#include "train/training_reporter.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "errors/log.h"

namespace nmt {
namespace {

constexpr size_t kLoggedSamples = 5;  // translations in metrics.jsonl at each validation

/// The same sentences at every validation, spread over the corpus.
std::vector<Sample> logged_samples(const Validator& validator, const ValidationResult& result) {
  std::vector<Sample> samples;
  const size_t size = result.hypotheses.size();
  const size_t count = std::min(kLoggedSamples, size);
  for (size_t i = 0; i < count; ++i) {
    const size_t line = i * size / count;
    samples.push_back({static_cast<int64_t>(line + 1), validator.sources()[line],
                       result.hypotheses[line], validator.references()[line]});
  }
  return samples;
}

void show_samples(int64_t update, const ValidationResult& result, const Validator& validator,
                  int64_t num_samples) {
  const size_t size = result.hypotheses.size();
  const size_t count = std::min(static_cast<size_t>(num_samples), size);
  for (size_t i = 0; i < count; ++i) {
    // Other sentences at each validation, but the same in runs that are compared.
    const size_t line = (static_cast<size_t>(update) + i * size / count) % size;
    log_info("  source      {}", validator.sources()[line]);
    log_info("  translation {}", result.hypotheses[line]);
    log_info("  reference   {}", validator.references()[line]);
  }
}

std::string scores_text(const ValidationResult& result) {
  if (result.hypotheses.empty()) return "";
  const auto rating =
      std::isnan(result.script) ? "" : fmt::format("  script {:.4f}", result.script);
  return fmt::format("  BLEU {:.2f}  chrF {:.2f}{}", result.bleu, result.chrf, rating);
}

}  // namespace

TrainingReporter::TrainingReporter(MetricsLog metrics, bool active)
    : metrics_(std::move(metrics)), active_(active) {}

void TrainingReporter::add_update(double loss, int64_t source_tokens, int64_t target_tokens,
                                  double gradient_norm) {
  loss_sum_ += loss;
  source_tokens_ += source_tokens;
  target_tokens_ += target_tokens;
  gradient_norm_ = gradient_norm;
}

/// Adds loss, gradient norm and speed since the last report. The loss is NaN if all updates were
/// skipped.
TrainingProgress TrainingReporter::with_sums(TrainingProgress now) const {
  now.loss = target_tokens_ > 0 ? loss_sum_ / static_cast<double>(target_tokens_)
                                : std::numeric_limits<double>::quiet_NaN();
  now.gradient_norm = gradient_norm_;
  const double interval = std::max(now.seconds - reported_seconds_, 1e-9);
  now.tokens_per_second = static_cast<double>(source_tokens_ + target_tokens_) / interval;
  return now;
}

void TrainingReporter::report(const TrainingProgress& now) {
  if (active_) {
    const auto progress = with_sums(now);
    display_.report(progress);
    metrics_.train(progress);
  }
  loss_sum_ = 0.0;
  source_tokens_ = 0;
  target_tokens_ = 0;
  reported_seconds_ = now.seconds;
}

void TrainingReporter::report_validation(const TrainingProgress& now,
                                         const ValidationResult& result, const Validator& validator,
                                         int64_t num_samples, bool best) {
  if (active_) {
    metrics_.validation(with_sums(now), result, logged_samples(validator, result), best);
  }
  reported_seconds_ += result.seconds;  // tokens/s excludes validation
  display_.clear();
  log_info("validation  update {}  loss {:.4f}  perplexity {}{}  seconds {:.1f}{}", now.update,
           result.loss, perplexity_text(result.loss, 3), scores_text(result), result.seconds,
           best ? "  best" : "");
  show_samples(now.update, result, validator, num_samples);
}

void TrainingReporter::log(const std::string& message) {
  display_.clear();
  log_info("{}", message);
}

void TrainingReporter::warn(const std::string& message) {
  display_.clear();
  log_warning("{}", message);
}

void TrainingReporter::save_state(nlohmann::json& progress) {
  progress["loss_sum"] = loss_sum_;
  progress["source_tokens"] = source_tokens_;
  progress["target_tokens"] = target_tokens_;
  progress["gradient_norm"] = gradient_norm_;
  progress["reported_seconds"] = reported_seconds_;
  progress["metrics_bytes"] = metrics_.sync();
}

void TrainingReporter::load_state(const nlohmann::json& progress) {
  loss_sum_ = progress.at("loss_sum");
  source_tokens_ = progress.at("source_tokens");
  target_tokens_ = progress.at("target_tokens");
  gradient_norm_ = progress.at("gradient_norm");
  reported_seconds_ = progress.at("reported_seconds");
  if (active_) metrics_.resume(progress.at("metrics_bytes"));
}

}  // namespace nmt
