#include "train/trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>

#include "support/error.h"
#include "support/interrupt.h"

namespace nmt {
namespace {

constexpr int64_t kMaxFailedUpdates = 20;

bool lower_is_better(const std::string& metric) {
  return metric == "loss" || metric == "perplexity";
}

}  // namespace

Trainer::Trainer(const Settings& settings, Seq2Seq model, const ParallelCorpus& corpus,
                 const Validator* validator, const ModelDirectory& directory, torch::Device device,
                 int threads)
    : settings_(settings),
      model_(std::move(model)),
      corpus_(corpus),
      validator_(validator),
      device_(device),
      threads_(threads),
      step_(make_training_step(model_, settings.train, device, threads)),
      schedule_(settings.train),
      early_stopping_(settings.validation.metric, settings.validation.patience),
      checkpoints_(directory, settings.validation.keep_best,
                   lower_is_better(settings.validation.metric)),
      metrics_(directory.metrics()) {}

TrainingOutcome Trainer::run() {
  started_ = std::chrono::steady_clock::now();
  model_->train();
  while (outcome_.stop_reason.empty()) run_epoch();
  // The work since the last validation must not be lost, unless somebody is waiting to leave.
  if (!interrupted() && outcome_.updates > last_validation_) validate();
  checkpoints_.save_last(model_, metadata());
  outcome_.minutes = seconds() / 60;
  return outcome_;
}

void Trainer::run_epoch() {
  ++outcome_.epochs;
  const BatchPlan plan(corpus_, settings_.data, static_cast<uint64_t>(settings_.train.seed),
                       outcome_.epochs);
  const int64_t accumulation = settings_.train.accumulation;
  updates_per_epoch_ = (plan.size() + accumulation - 1) / accumulation;
  for (int64_t first = 0; first < plan.size(); first += accumulation) {
    update(plan, first);
    outcome_.stop_reason = reason_to_stop();
    if (!outcome_.stop_reason.empty()) return;
  }
  if (settings_.validation.every == 0) validate();
  if (settings_.train.max_epochs > 0 && outcome_.epochs >= settings_.train.max_epochs) {
    outcome_.stop_reason = "max_epochs reached";
  } else {
    outcome_.stop_reason = reason_to_stop();
  }
}

void Trainer::update(const BatchPlan& plan, int64_t first_batch) {
  const int64_t end = std::min(plan.size(), first_batch + settings_.train.accumulation);
  std::vector<Batch> batches;
  for (int64_t i = first_batch; i < end; ++i) {
    batches.push_back(make_batch(corpus_, plan[i]).to(device_));
  }
  loss_sum_ += accumulate_gradients(batches);
  ++outcome_.updates;
  step_optimizer(schedule_.rate(outcome_.updates, outcome_.epochs));
  if (outcome_.updates % settings_.train.log_every == 0) report();
  const int64_t every = settings_.validation.every;
  if (every > 0 && outcome_.updates % every == 0) validate();
}

double Trainer::accumulate_gradients(const std::vector<Batch>& batches) {
  int64_t target_tokens = 0;
  for (const auto& batch : batches) {
    source_tokens_ += batch.num_source_tokens;
    target_tokens += batch.num_target_tokens;
  }
  target_tokens_ += target_tokens;
  double loss_sum = 0.0;
  for (const auto& batch : batches) {
    // The mean over all tokens of the update, however they fall into batches.
    const double scale = 1.0 / static_cast<double>(target_tokens);
    loss_sum += step_->add_gradient(batch, scale);
  }
  return loss_sum;
}

void Trainer::step_optimizer(double learning_rate) {
  gradient_norm_ = step_->update(learning_rate);
  if (std::isfinite(gradient_norm_)) {
    failed_updates_ = 0;
    return;
  }
  display_.clear();
  spdlog::warn("update {}: the gradient is not finite; this update is left out", outcome_.updates);
  if (++failed_updates_ == kMaxFailedUpdates) {
    throw Error("training diverged: " + std::to_string(kMaxFailedUpdates) +
                " gradients in a row are not finite; lower train.learning_rate or "
                "train.clip_norm (the best state so far is kept in the model directory)");
  }
}

TrainingProgress Trainer::progress() const {
  TrainingProgress now;
  now.epoch = outcome_.epochs;
  now.update = outcome_.updates;
  now.loss = loss_sum_ / static_cast<double>(std::max<int64_t>(target_tokens_, 1));
  now.learning_rate = schedule_.rate(std::max<int64_t>(outcome_.updates, 1), outcome_.epochs);
  now.gradient_norm = gradient_norm_;
  now.seconds = seconds();
  const double interval = std::max(now.seconds - reported_seconds_, 1e-9);
  now.tokens_per_second = static_cast<double>(source_tokens_ + target_tokens_) / interval;
  now.fraction = fraction_done(settings_.train, updates_per_epoch_, outcome_.updates, now.seconds);
  return now;
}

void Trainer::report() {
  const auto now = progress();
  display_.report(now);
  metrics_.train(now);
  loss_sum_ = 0.0;
  source_tokens_ = 0;
  target_tokens_ = 0;
  reported_seconds_ = now.seconds;
}

void Trainer::validate() {
  last_validation_ = outcome_.updates;
  if (validator_ == nullptr) {
    checkpoints_.save_last(model_, metadata());
    return;
  }
  at::set_num_threads(threads_);
  const auto result = validator_->run(model_);
  const double value = result.metric(settings_.validation.metric);
  const bool best = early_stopping_.observe(value);
  schedule_.observe_validation(best);
  metrics_.validation(progress(), result, best);
  display_.clear();
  spdlog::info(
      "validation  update {}  loss {:.4f}  perplexity {:.3f}  BLEU {:.2f}  chrF {:.2f}  seconds "
      "{:.1f}{}",
      outcome_.updates, result.loss, result.perplexity, result.bleu, result.chrf, result.seconds,
      best ? "  best" : "");
  show_samples(result);
  if (best) {
    outcome_.best = result;
    outcome_.best_update = outcome_.updates;
  }
  checkpoints_.offer(model_, outcome_.updates, value, metadata());
  reported_seconds_ += result.seconds;  // tokens/s is of training alone
}

void Trainer::show_samples(const ValidationResult& result) {
  const size_t count =
      std::min(static_cast<size_t>(settings_.validation.samples), result.hypotheses.size());
  for (size_t i = 0; i < count; ++i) {
    // Another part of the corpus each time, the same for runs that are compared.
    const size_t line =
        (static_cast<size_t>(outcome_.updates) + i * result.hypotheses.size() / count) %
        result.hypotheses.size();
    spdlog::info("  source      {}", validator_->sources()[line]);
    spdlog::info("  translation {}", result.hypotheses[line]);
    spdlog::info("  reference   {}", validator_->references()[line]);
  }
}

std::string Trainer::reason_to_stop() const {
  const auto& limits = settings_.train;
  if (interrupted()) return "interrupted";
  if (early_stopping_.exhausted()) {
    return settings_.validation.metric + " did not improve in " +
           std::to_string(early_stopping_.stalled()) + " validations";
  }
  if (limits.max_updates > 0 && outcome_.updates >= limits.max_updates) {
    return "max_updates reached";
  }
  if (limits.max_minutes > 0 && seconds() >= limits.max_minutes * 60) return "max_minutes reached";
  return "";
}

double Trainer::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

std::map<std::string, std::string> Trainer::metadata() const {
  return {{"format", "nmt"},
          {"update", std::to_string(outcome_.updates)},
          {"epoch", std::to_string(outcome_.epochs)}};
}

}  // namespace nmt
