#include "train/trainer.h"

#include <ATen/Parallel.h>
#include <spdlog/fmt/fmt.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "errors/out_of_memory.h"
#include "numbers/random.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

using Clock = std::chrono::steady_clock;

/// With several processes, seeds LibTorch's generator for each update, as a function of rank and
/// update: each process needs its own dropout masks, but only rank 0 saves a state. A single
/// process restores the generator from the saved state instead.
void seed_update(const TrainingRun& run, int64_t update) {
  if (run.group.size() == 1) return;
  Random seeds(static_cast<uint64_t>(run.fingerprint.settings.train.seed),
               static_cast<uint64_t>(run.group.rank()));
  torch::manual_seed(seeds.next() + static_cast<uint64_t>(update));
}

/// Whether the runs' validation values are comparable: same set, same measurement.
bool have_comparable_validations(const RunFingerprint& a, const RunFingerprint& b) {
  const auto is_same = [&](const char* text) { return a.hash_of(text) == b.hash_of(text); };
  if (!is_same("validation source text") || !is_same("validation target text")) return false;
  const auto pairs = [](const DataConfig& data) {
    return std::tie(data.max_length, data.max_ratio);
  };
  const auto translations = [](const ValidationConfig& config) {
    return std::tie(config.max_sentences, config.beam_size, config.length_penalty, config.script);
  };
  return lower_is_better(a.settings.validation.metric)
             ? pairs(a.settings.data) == pairs(b.settings.data)
             : translations(a.settings.validation) == translations(b.settings.validation);
}

/// Whether a position in an epoch means the same in both.
bool have_same_batches(const DataConfig& a, const DataConfig& b) {
  return std::tie(a.batch_size, a.batch_type, a.bucket_batches) ==
         std::tie(b.batch_size, b.batch_type, b.bucket_batches);
}

}  // namespace

Trainer::Trainer(TrainingRun& run, const Seq2Seq& network, const ModelDirectory& directory,
                 const TimePlan& plan)
    : run_(run),
      settings_(run.fingerprint.settings),
      network_(network),
      batches_(run),
      updater_(run, network),
      early_stopping_(settings_.validation.metric, settings_.validation.patience),
      reporter_(MetricsLog(directory.metrics(),
                           {settings_.data.valid_source, settings_.data.valid_target}),
                run.group.is_rank_zero()),
      saver_(settings_, directory, reporter_, run.group.is_rank_zero()),
      plan_(plan),
      configured_updates_(settings_.train.max_updates),
      started_(Clock::now()) {}

TrainingOutcome Trainer::run(int64_t pause_after) {
  pause_after_ = pause_after;
  network_->train();
  if (!restored_) {
    // The initial model may remain the best.
    validation_due_ = run_.validator && !settings_.train.initial_model.empty();
    save();  // fails early on a full disk
  }
  try {
    train_until_stopped();
  } catch (const ProcessLost&) {
    run_.group.stop_watching();
    save_or_warn();
    throw;
  }
  const bool finished = outcome_.stop_reason != kInterrupted;
  outcome_.usable = !run_.validator || outcome_.lowest_loss < guessing_loss(*network_);
  outcome_.skipped_updates = updater_.guard().skipped_updates();
  outcome_.minutes = seconds() / 60;
  if (run_.group.is_rank_zero()) {
    // Saved as unfinished: what follows, e.g. calibration, may still be interrupted.
    saver_.save_at_end(now(), [&] {
      if (finished) keep_latest();
      save();
    });
    const AveragedWeights averaged(updater_.average(), network_);
    saver_.checkpoints().save_last(network_, now(), /*is_model=*/outcome_.usable || !finished);
    updater_.step().write_auxiliary_model(saver_.directory().reverse_model());
  }
  reporter_.clear();
  outcome_.finished = finished;
  return outcome_;
}

void Trainer::train_until_stopped() {
  synchronize();
  while ((outcome_.stop_reason = reason_to_stop()).empty()) {
    if (validation_due_) {
      validate();
      synchronize();
    } else if (batches_.is_open() || begin_epoch()) {
      update();
    } else {
      synchronize();
    }
    if (!validation_due_ && saver_.is_due(now())) save_checkpoint();
  }
  finish_update();
  // Validates the updates since the last validation, unless a signal has asked to stop.
  if (outcome_.stop_reason == kInterrupted || outcome_.updates == last_validation_) return;
  if (!validate()) outcome_.stop_reason = kInterrupted;
}

/// Synchronizes local observations on which all processes must act together: whether a signal has
/// arrived, and the time by rank 0's clock. Returns the sum of the losses.
double Trainer::synchronize(double loss) {
  const auto sums = run_.group.all_reduce(
      {loss, interrupted() ? 1.0 : 0.0, run_.group.is_rank_zero() ? seconds() : 0.0});
  interrupted_ = sums[1] > 0;
  synchronized_seconds_ = sums[2];
  return sums[0];
}

/// False if a signal arrived before the epoch's corpus was ready. If it cannot be prepared, e.g. on
/// a full disk, saves the updates so far and throws.
bool Trainer::begin_epoch() {
  try {
    batches_.open(outcome_.epochs + 1);
    ++outcome_.epochs;
  } catch (const Interrupted&) {  // no epoch is open
  } catch (const Error&) {
    try {
      save();
    } catch (const Error& failure) {
      reporter_.warn(failure.what());
    }
    throw;
  }
  const bool stopped = !batches_.is_open();
  if (!run_.group.any(stopped)) return true;
  if (!stopped) --outcome_.epochs;
  batches_.close();
  return false;
}

void Trainer::update() try {
  const auto batches = batches_.next();
  review_plan();
  last_update_ = last_update(settings_.train, batches_.epoch_size(), done());
  ++outcome_.updates;
  seed_update(run_, outcome_.updates);
  apply_update(batches);
  if (outcome_.updates % settings_.train.log_every == 0) {
    finish_update();
    reporter_.report(progress());
  }
  const bool epoch_ends = batches_.close_at_end();
  const int64_t interval = settings_.validation.interval;
  validation_due_ = interval > 0 ? outcome_.updates % interval == 0 : epoch_ends;
} catch (const Interrupted&) {  // while gradients were accumulated
  undo_update();
} catch (const ProcessLost&) {
  undo_update();
  throw;
}

/// Call before the weights have changed: a run resumed from a state saved now repeats this update.
void Trainer::undo_update() {
  updater_.step().undo();
  batches_.undo();
  --outcome_.updates;
}

/// If memory runs out, saves the updates so far and throws.
DeferredNumber Trainer::accumulate_gradients(const std::vector<Batch>& batches, double scale) try {
  return updater_.step().accumulate_gradients(batches, scale);
} catch (const ProcessLost&) {  // its reason may be that the other process has run out of memory
  throw;
} catch (const std::exception& error) {
  if (!is_out_of_memory(error.what())) throw;
  undo_update();
  save_or_warn();
  throw;
}

void Trainer::review_plan() {
  const auto& epoch = batches_.epoch_size();
  const auto before = last_update(settings_.train, epoch, done());
  if (!plan_.review(run_.fingerprint.settings, epoch, done(), synchronized_seconds_)) return;
  saver_.set_due();
  const auto now = last_update(settings_.train, epoch, done());
  if (now == before) return;
  reporter_.log(fmt::format("update {}: at this pace, {} updates fit into the time instead of {}",
                            outcome_.updates, now, before));
}

void Trainer::apply_update(const std::vector<Batch>& batches) {
  int64_t source_tokens = 0;
  int64_t target_tokens = 0;
  for (const auto& batch : batches) {
    source_tokens += batch.global_source_tokens;
    target_tokens += batch.global_target_tokens;
  }
  // The gradient is the mean over all tokens of the update, however they are divided into batches
  // and processes.
  const double scale = 1.0 / static_cast<double>(target_tokens);
  auto loss = accumulate_gradients(batches, scale);
  finish_update();  // the previous one: a GPU is busy with this one's gradients meanwhile
  if (run_.group.size() == 1) {
    synchronize();
  } else {
    loss = synchronize(loss);
  }
  const auto norm = updater_.apply_update(loss, outcome_.updates, outcome_.epochs, last_update_);
  unfinished_ = {outcome_.updates, loss, norm, source_tokens, target_tokens};
  outcome_.target_tokens += target_tokens;
  if (!updater_.may_finish_later()) finish_update();
}

/// Waits for the result of the last update, if that is still unfinished.
void Trainer::finish_update() {
  if (!unfinished_) return;
  const auto last = *std::exchange(unfinished_, std::nullopt);
  const double loss = last.loss;
  const double norm = last.gradient_norm;
  const auto result = updater_.finish_update(loss, norm, last.update);
  if (result.applied) {
    reporter_.add_update(loss, last.source_tokens, last.target_tokens, norm);
    return;
  }
  reporter_.warn(
      fmt::format("update {}: loss or gradient is not finite; update skipped", last.update));
  if (!result.rolled_back) return;
  reporter_.warn(fmt::format("update {}: rolled back to the last good weights, learning rate × {}",
                             last.update, ModelUpdater::kRollbackFactor));
}

ValidationRank Trainer::rank_of(const ValidationResult& result) const {
  return {result.value_of(settings_.validation.metric), result.loss};
}

TrainingProgress Trainer::progress() const {
  TrainingProgress now;
  now.epoch = outcome_.epochs;
  now.update = outcome_.updates;
  now.learning_rate = updater_.schedule().rate(std::max<int64_t>(outcome_.updates, 1),
                                               outcome_.epochs, last_update_);
  now.skipped_updates = updater_.guard().skipped_updates();
  now.seconds = seconds();
  now.fraction = fraction_done(settings_.train, batches_.epoch_size().updates, done(), now.seconds);
  return now;
}

/// False if a signal arrived first; the validation then stays due.
bool Trainer::validate() try {
  finish_update();
  const AveragedWeights averaged(updater_.average(), network_);
  if (!run_.validator) {
    end_validation();
    saver_.save_or_warn(
        now(), [&] { saver_.checkpoints().save_last(network_, now(), /*is_model=*/true); });
    return true;
  }
  at::set_num_threads(run_.fingerprint.threads);
  try {
    judge(run_.validator->run(network_));
  } catch (const Interrupted&) {
    return false;
  }
  return true;
} catch (const ProcessLost&) {  // its reason may be that the other process has run out of memory
  throw;
} catch (const std::exception& error) {
  // The weights are the network's own again, and the validation is still due.
  if (is_out_of_memory(error.what())) save_or_warn();
  throw;
}

void Trainer::end_validation() {
  last_validation_ = outcome_.updates;
  validation_due_ = false;
  saver_.set_due();
}

void Trainer::judge(const ValidationResult& result) {
  end_validation();
  const auto rank = rank_of(result);
  // A script that fails says nothing about the model.
  const bool judged =
      settings_.validation.metric != ValidationMetric::kScript || std::isfinite(rank.value);
  const bool improved = judged && early_stopping_.observe(rank);
  const bool usable = result.loss < guessing_loss(*network_);
  // The best of the usable models: an earlier, unusable one may have had a better value by chance.
  const bool best = judged && usable && std::isfinite(rank.value) &&
                    (!outcome_.best || early_stopping_.better(rank, rank_of(*outcome_.best)));
  if (judged) updater_.observe_validation(improved);
  outcome_.lowest_loss = std::min(outcome_.lowest_loss, result.loss);
  reporter_.report_validation(progress(), result, *run_.validator, settings_.validation.samples,
                              best);
  if (!result.script_failure.empty()) {
    reporter_.warn(fmt::format("update {}: {}; training continues without this rating",
                               outcome_.updates, result.script_failure));
  }
  if (best) {
    outcome_.best = result;
    outcome_.best_update = outcome_.updates;
  }
  if (usable) {
    saver_.save_or_warn(now(), [&] { saver_.checkpoints().offer(network_, now(), rank); });
  } else {
    reporter_.warn(fmt::format("update {}: the model is no better than guessing ({})",
                               outcome_.updates, guessing_text(*network_)));
  }
}

std::string Trainer::reason_to_stop() const {
  const auto& limits = settings_.train;
  const bool stopped = interrupted_ || (run_.group.size() == 1 && interrupted());
  if (stopped || outcome_.updates >= pause_after_) return kInterrupted;
  if (early_stopping_.exhausted()) {
    return choice_name(settings_.validation.metric) + " did not improve in " +
           std::to_string(early_stopping_.stalled()) + " validations";
  }
  if (limits.max_updates > 0 && outcome_.updates >= limits.max_updates) {
    return plan_.is_active() ? "max_minutes reached" : "max_updates reached";
  }
  if (limits.max_tokens > 0 && outcome_.target_tokens >= limits.max_tokens) {
    return "max_tokens reached";
  }
  if (limits.max_minutes > 0 && synchronized_seconds_ >= limits.max_minutes * 60) {
    return "max_minutes reached";
  }
  const bool epoch_ended = !batches_.is_open() && !validation_due_;
  if (limits.max_epochs > 0 && epoch_ended && outcome_.epochs >= limits.max_epochs) {
    return "max_epochs reached";
  }
  return "";
}

void Trainer::save_checkpoint() {
  saver_.set_saved(now());
  saver_.save_or_warn(now(), [this] {
    keep_latest();
    save();
  });
}

void Trainer::keep_latest() {
  finish_update();
  const AveragedWeights averaged(updater_.average(), network_);
  saver_.checkpoints().keep(network_, now());
}

void Trainer::save() {
  if (!run_.group.is_rank_zero()) return;
  saver_.checkpoints().retry(network_);  // before state(), which lists the checkpoints
  saver_.write_state(state());
}

void Trainer::save_or_warn() {
  saver_.save_or_warn(now(), [this] { save(); });
}

RunState Trainer::state() {
  finish_update();
  const auto position = batches_.position();
  RunState state;
  state.fingerprint = run_.fingerprint;
  state.progress = {{"update", outcome_.updates},
                    {"epoch", outcome_.epochs},
                    {"total_target_tokens", outcome_.target_tokens},
                    {"within_epoch", batches_.is_open()},
                    {"bucket", position.bucket},
                    {"batch_in_bucket", position.batch},
                    {"last_validation", last_validation_},
                    {"validation_due", validation_due_},
                    {"finish", outcome_.finished ? outcome_.stop_reason : ""},
                    {"best", best_to_json(outcome_)},
                    {"lowest_loss", outcome_.lowest_loss},
                    {"early_stopping", early_stopping_.to_json()},
                    {"checkpoints", saver_.checkpoints().to_json()},
                    {"seconds", seconds()},
                    {"time_plan", plan_.to_json()},
                    {"configured_updates", configured_updates_}};
  reporter_.save_state(state.progress);
  updater_.save_state(state.progress, state.tensors);
  return state;
}

void Trainer::restore(const RunState& state) try {
  const auto& progress = state.progress;
  outcome_.updates = progress.at("update");
  outcome_.epochs = progress.at("epoch");
  outcome_.target_tokens = progress.at("total_target_tokens");
  validation_due_ = progress.at("validation_due");
  const bool is_comparable = have_comparable_validations(state.fingerprint, run_.fingerprint);
  if (is_comparable) {
    last_validation_ = progress.at("last_validation");
    restore_best(progress.at("best"), outcome_);
    early_stopping_.restore(progress.at("early_stopping"));
  }
  const auto& lowest = progress.at("lowest_loss");  // infinity is null in JSON
  if (lowest.is_number()) outcome_.lowest_loss = lowest;
  started_ =
      Clock::now() - std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(progress.at("seconds").get<double>()));
  const auto& saved = state.fingerprint.settings.train;
  const auto& train = settings_.train;
  const bool same_end = saved.max_updates == train.max_updates && train.max_minutes > 0;
  if (same_end) {
    plan_ = TimePlan::from_json(progress.at("time_plan"));
    plan_.add_minutes(train.max_minutes - saved.max_minutes, run_.fingerprint.settings.train,
                      outcome_.updates);
  }
  reporter_.load_state(progress);
  updater_.load_state(progress, state.tensors);
  saver_.restore(progress.at("checkpoints"), now());
  // Changed by --accept-changes.
  if (!is_comparable) saver_.checkpoints().forget_best(/*keeps_model=*/run_.validator.has_value());
  if (progress.at("within_epoch").get<bool>()) {
    StreamPosition from{progress.at("bucket"), progress.at("batch_in_bucket")};
    // An epoch of other batches starts over: the position could even be beyond its end.
    if (!have_same_batches(state.fingerprint.settings.data, settings_.data)) from = {};
    batches_.open(outcome_.epochs, from);
    batches_.close_at_end();  // the corpus was longer when the state was saved
  }
  synchronized_seconds_ = seconds();
  restored_ = true;
} catch (const nlohmann::json::exception&) {
  refuse_incomplete_state(saver_.directory().run_state().string());
}

double Trainer::seconds() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

}  // namespace nmt
