#include "train/trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "errors/error.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

constexpr char kInterrupted[] = "interrupted";
constexpr double kRateAfterRollback = 0.5;
constexpr size_t kLoggedSamples = 5;  // translations in metrics.jsonl at each validation

/// Translations of the same sentences, from all parts of the corpus, at every validation: they show
/// how a model comes along.
std::vector<SampleTranslation> logged_samples(const Validator& validator,
                                              const ValidationResult& result) {
  std::vector<SampleTranslation> samples;
  const size_t size = result.hypotheses.size();
  const size_t count = std::min(kLoggedSamples, size);
  for (size_t i = 0; i < count; ++i) {
    const size_t line = i * size / count;
    samples.push_back({static_cast<int64_t>(line + 1), validator.sources()[line],
                       result.hypotheses[line], validator.references()[line]});
  }
  return samples;
}

/// Of the translations, where there are any.
std::string scores_text(const ValidationResult& result) {
  if (result.hypotheses.empty()) return "";
  return fmt::format("  BLEU {:.2f}  chrF {:.2f}", result.bleu, result.chrf);
}

}  // namespace

Trainer::Trainer(const RunOrigin& origin, Seq2Seq model, std::unique_ptr<EpochCorpora> corpora,
                 const Validator* validator, const ModelDirectory& directory, torch::Device device,
                 const Tokenizers& tokenizers, ProcessGroup& peers)
    : origin_(origin),
      settings_(origin_.settings),
      model_(std::move(model)),
      corpora_(std::move(corpora)),
      validator_(validator),
      directory_(directory),
      device_(device),
      tokenizers_(tokenizers),
      peers_(peers),
      step_(new_step()),
      guard_(model_),
      schedule_(settings_.train, settings_.model.hidden_size),
      early_stopping_(settings_.validation.metric, settings_.validation.patience),
      checkpoints_(directory, settings_.validation.keep_best, settings_.train.keep_last,
                   lower_is_better(settings_.validation.metric)),
      metrics_(directory.metrics()),
      started_(std::chrono::steady_clock::now()) {
  if (settings_.train.ema_decay > 0) {
    average_ = std::make_unique<WeightAverage>(model_, settings_.train.ema_decay);
  }
}

std::unique_ptr<TrainingStep> Trainer::new_step() {
  return make_training_step(model_, settings_.train, device_, origin_.threads, tokenizers_,
                            &peers_);
}

TrainingOutcome Trainer::run(int64_t pause_after) {
  pause_after_ = pause_after;
  model_->train();
  if (!restored_) save();  // better no room on the disk now than later
  try {
    train_to_the_end();
  } catch (const PeersLost&) {
    save_or_warn([this] { save(); });
    throw;
  }
  outcome_.finished = outcome_.stop_reason != kInterrupted;
  outcome_.usable = validator_ == nullptr || outcome_.lowest_loss < guessing_loss(*model_);
  outcome_.skipped_updates = guard_.skipped_updates();
  outcome_.minutes = seconds() / 60;
  if (!peers_.is_leader()) return outcome_;
  if (!outcome_.finished) save();
  const AveragedWeights averaged(average_.get(), model_);
  checkpoints_.save_last(model_, metadata(), outcome_.usable || !outcome_.finished);
  step_->write_model_beside(directory_.reverse_model());
  return outcome_;
}

void Trainer::train_to_the_end() {
  agree();
  while ((outcome_.stop_reason = reason_to_stop()).empty()) {
    if (validation_due_) {
      validate();
      agree();
    } else if (stream_ || begin_epoch()) {
      update();
    } else {
      agree();
    }
    if (save_due()) save_checkpoint();
  }
  // The work since the last validation must not be lost, unless somebody is waiting to leave.
  if (outcome_.stop_reason == kInterrupted || outcome_.updates == last_validation_) return;
  if (!validate()) outcome_.stop_reason = kInterrupted;
}

/// On what the processes each see for themselves but have to act on together: whether a signal has
/// come and how late it is, by the leader's clock. Returns the sum of their losses.
double Trainer::agree(double loss) {
  const auto sums =
      peers_.sum({loss, interrupted() ? 1.0 : 0.0, peers_.is_leader() ? seconds() : 0.0});
  interrupted_ = sums[1] > 0;
  agreed_seconds_ = sums[2];
  return sums[0];
}

void Trainer::plan_epoch(const StreamPosition& from) {
  stream_ =
      std::make_unique<BatchStream>(corpora_->corpora_of(outcome_.epochs), settings_.data,
                                    static_cast<uint64_t>(settings_.train.seed), outcome_.epochs,
                                    from, BatchShare{peers_.rank(), peers_.size()});
  const int64_t accumulation = settings_.train.gradient_accumulation;
  updates_per_epoch_ = (stream_->num_batches() + accumulation - 1) / accumulation;
}

/// False when a signal came before the corpus of the epoch was ready.
bool Trainer::begin_epoch() {
  ++outcome_.epochs;
  bool stopped = false;
  try {
    plan_epoch();
  } catch (const Interrupted&) {
    stopped = true;
  }
  if (!peers_.any(stopped)) return true;
  --outcome_.epochs;
  stream_.reset();
  return false;
}

void Trainer::update() try {
  const auto batches = next_batches();
  ++outcome_.updates;
  const double learning_rate = schedule_.rate(outcome_.updates, outcome_.epochs);
  if (move_weights(batches, learning_rate)) {
    guard_.succeeded(outcome_.updates, model_);
    if (average_) average_->update(model_);
  } else {
    display_.clear();
    spdlog::warn("update {}: the loss or its gradient is not finite; this update is left out",
                 outcome_.updates);
    if (guard_.failed(outcome_.updates, model_)) roll_back();
  }
  if (outcome_.updates % settings_.train.log_every == 0) report();
  const bool epoch_ends = stream_->at_end();
  if (epoch_ends) stream_.reset();
  const int64_t every = settings_.validation.interval;
  validation_due_ = every > 0 ? outcome_.updates % every == 0 : epoch_ends;
} catch (const PeersLost&) {
  // The weights have not moved: as before, so that what is saved does the update again.
  undone_update_ = update_began_at_;
  --outcome_.updates;
  throw;
}

std::vector<Batch> Trainer::next_batches() {
  update_began_at_ = stream_->position();
  const auto count = static_cast<size_t>(settings_.train.gradient_accumulation);
  std::vector<Batch> batches;
  while (batches.size() < count && !stream_->at_end()) {
    batches.push_back(stream_->next().to(device_));
  }
  return batches;
}

/// False when the loss or the gradient is not finite: then nothing moves.
bool Trainer::move_weights(const std::vector<Batch>& batches, double learning_rate) {
  int64_t source_tokens = 0;
  int64_t target_tokens = 0;
  for (const auto& batch : batches) {
    source_tokens += batch.global_source_tokens;
    target_tokens += batch.global_target_tokens;
  }
  // The mean over all tokens of the update, however they fall into batches and processes.
  const double scale = 1.0 / static_cast<double>(target_tokens);
  const double loss_sum = agree(step_->add_gradients(batches, scale));
  if (!std::isfinite(loss_sum)) {
    step_->forget_gradient();
    return false;
  }
  const double norm = step_->update(learning_rate);
  if (!std::isfinite(norm)) return false;
  loss_sum_ += loss_sum;
  source_tokens_ += source_tokens;
  target_tokens_ += target_tokens;
  gradient_norm_ = norm;
  return true;
}

/// The guard has put good weights back: goes on from them with an optimiser that knows nothing of
/// what went astray.
void Trainer::roll_back() {
  schedule_.lower(kRateAfterRollback);
  step_ = new_step();
  if (average_) average_->reset(model_);
  spdlog::warn("update {}: back to the last good weights, with {} of the learning rate",
               outcome_.updates, kRateAfterRollback);
}

TrainingProgress Trainer::progress() const {
  TrainingProgress now;
  now.epoch = outcome_.epochs;
  now.update = outcome_.updates;
  now.loss = loss_sum_ / static_cast<double>(std::max<int64_t>(target_tokens_, 1));
  now.learning_rate = schedule_.rate(std::max<int64_t>(outcome_.updates, 1), outcome_.epochs);
  now.gradient_norm = gradient_norm_;
  now.skipped_updates = guard_.skipped_updates();
  now.seconds = seconds();
  const double interval = std::max(now.seconds - reported_seconds_, 1e-9);
  now.tokens_per_second = static_cast<double>(source_tokens_ + target_tokens_) / interval;
  now.fraction = fraction_done(settings_.train, updates_per_epoch_, outcome_.updates, now.seconds);
  return now;
}

void Trainer::report() {
  const auto now = progress();
  if (peers_.is_leader()) {
    display_.report(now);
    metrics_.train(now);
  }
  loss_sum_ = 0.0;
  source_tokens_ = 0;
  target_tokens_ = 0;
  reported_seconds_ = now.seconds;
}

/// False when a signal came first: then it stays due.
bool Trainer::validate() {
  const AveragedWeights averaged(average_.get(), model_);
  if (validator_ == nullptr) {
    end_validation();
    save_or_warn([&] { checkpoints_.save_last(model_, metadata(), /*is_model=*/true); });
    return true;
  }
  at::set_num_threads(origin_.threads);
  try {
    judge(validator_->run(model_));
  } catch (const Interrupted&) {
    return false;
  }
  return true;
}

void Trainer::end_validation() {
  last_validation_ = outcome_.updates;
  validation_due_ = false;
  validated_ = true;
}

void Trainer::judge(const ValidationResult& result) {
  end_validation();
  const double value = result.value_of(settings_.validation.metric);
  const bool improved = early_stopping_.observe(value);
  const bool usable = result.loss < guessing_loss(*model_);
  const bool best = improved && usable;
  outcome_.lowest_loss = std::min(outcome_.lowest_loss, result.loss);
  schedule_.observe_validation(improved);
  if (peers_.is_leader()) {
    metrics_.validation(progress(), result, logged_samples(*validator_, result), best);
  }
  reported_seconds_ += result.seconds;  // tokens/s is of training alone
  display_.clear();
  spdlog::info("validation  update {}  loss {:.4f}  perplexity {}{}  seconds {:.1f}{}",
               outcome_.updates, result.loss, perplexity_text(result.loss, 3), scores_text(result),
               result.seconds, best ? "  best" : "");
  if (!usable) {
    spdlog::warn("update {}: the model is no better than guessing ({})", outcome_.updates,
                 guessing_text(*model_));
  }
  show_samples(result);
  if (best) {
    outcome_.best = result;
    outcome_.best_update = outcome_.updates;
  }
  if (!usable) return;
  save_or_warn([&] { checkpoints_.offer(model_, outcome_.updates, value, metadata()); });
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
  const bool stopped = interrupted_ || (peers_.size() == 1 && interrupted());
  if (stopped || outcome_.updates >= pause_after_) return kInterrupted;
  if (early_stopping_.exhausted()) {
    return choice_name(settings_.validation.metric) + " did not improve in " +
           std::to_string(early_stopping_.stalled()) + " validations";
  }
  if (limits.max_updates > 0 && outcome_.updates >= limits.max_updates) {
    return "max_updates reached";
  }
  if (limits.max_minutes > 0 && agreed_seconds_ >= limits.max_minutes * 60) {
    return "max_minutes reached";
  }
  const bool epoch_ended = !stream_ && !validation_due_;
  if (limits.max_epochs > 0 && epoch_ended && outcome_.epochs >= limits.max_epochs) {
    return "max_epochs reached";
  }
  return "";
}

bool Trainer::save_due() const {
  if (validated_) return true;
  if (validation_due_ || outcome_.updates == saved_update_) return false;
  const auto& train = settings_.train;
  if (train.save_every > 0 && outcome_.updates % train.save_every == 0) return true;
  return train.save_every_minutes > 0 &&
         seconds() - saved_seconds_ >= train.save_every_minutes * 60;
}

void Trainer::save_checkpoint() {
  validated_ = false;
  saved_update_ = outcome_.updates;
  saved_seconds_ = seconds();
  save_or_warn([&] {
    {
      const AveragedWeights averaged(average_.get(), model_);
      checkpoints_.keep(model_, outcome_.updates, metadata());
    }
    save();
  });
}

/// A disk that is full may have room later; a folder that is gone takes the run with it.
void Trainer::save_or_warn(const std::function<void()>& save_something) {
  if (!peers_.is_leader()) return;
  try {
    save_something();
  } catch (const Error& error) {
    std::error_code ignored;
    display_.clear();
    if (!std::filesystem::exists(directory_.root, ignored)) {
      throw Error(directory_.root.string() + ": the folder is gone, so training stops at update " +
                  std::to_string(outcome_.updates));
    }
    spdlog::warn("{}; training goes on and will try again", error.what());
  }
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
