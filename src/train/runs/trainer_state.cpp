// What Trainer saves and restores.

#include <spdlog/spdlog.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "errors/error.h"
#include "train/runs/run_state.h"
#include "train/steps/named_parameters.h"
#include "train/trainer.h"

namespace nmt {
namespace {

using Json = nlohmann::json;

Json describe_best(const TrainingOutcome& outcome) {
  if (!outcome.best) return nullptr;
  return {{"update", outcome.best_update},
          {"loss", outcome.best->loss},
          {"perplexity", outcome.best->perplexity},
          {"bleu", outcome.best->bleu},
          {"chrf", outcome.best->chrf}};
}

void restore_best(const Json& best, TrainingOutcome& outcome) {
  outcome.best.reset();
  if (best.is_null()) return;
  outcome.best_update = best.at("update");
  outcome.best.emplace();
  outcome.best->loss = read_number(best.at("loss"));
  outcome.best->perplexity = read_number(best.at("perplexity"));
  outcome.best->bleu = read_number(best.at("bleu"));
  outcome.best->chrf = read_number(best.at("chrf"));
}

/// Infinity is null in JSON; older states have the best model's loss alone.
void restore_lowest_loss(const Json& at, TrainingOutcome& outcome) {
  const auto lowest = at.value("lowest_loss", Json());
  if (lowest.is_number()) {
    outcome.lowest_loss = lowest;
  } else if (outcome.best) {
    outcome.lowest_loss = outcome.best->loss;
  }
}

}  // namespace

void Trainer::save() {
  if (!peers_.is_leader()) return;
  RunState state;
  const auto position = undone_update_ ? *undone_update_
                        : stream_      ? stream_->position()
                                       : StreamPosition();
  state.origin = to_json(origin_);
  state.progress = {{"update", outcome_.updates},
                    {"epoch", outcome_.epochs},
                    {"within_epoch", stream_ != nullptr},
                    {"bucket", position.bucket},
                    {"batch_in_bucket", position.batch},
                    {"last_validation", last_validation_},
                    {"validation_due", validation_due_},
                    {"finish", outcome_.finished ? outcome_.stop_reason : ""},
                    {"best", describe_best(outcome_)},
                    {"lowest_loss", outcome_.lowest_loss},
                    {"early_stopping", early_stopping_.to_json()},
                    {"schedule", schedule_.to_json()},
                    {"failed_updates", guard_.counters()},
                    {"checkpoints", checkpoints_.to_json()},
                    {"loss_sum", loss_sum_},
                    {"source_tokens", source_tokens_},
                    {"target_tokens", target_tokens_},
                    {"gradient_norm", gradient_norm_},
                    {"metrics_bytes", metrics_.sync()},
                    {"reported_seconds", reported_seconds_},
                    {"seconds", seconds()}};
  add_tensors(state.tensors, "weights", unique_named_parameters(model_));
  step_->save_state(state.tensors);
  guard_.save_state(model_, state.tensors);
  if (average_) average_->save_state(model_, state.tensors);
  write_run_state(directory_.run_state(), state);
  checkpoints_.remove_others();
}

void Trainer::restore(const RunState& state) try {
  const auto& at = state.progress;
  outcome_.updates = at.at("update");
  outcome_.epochs = at.at("epoch");
  last_validation_ = at.at("last_validation");
  validation_due_ = at.at("validation_due");
  restore_best(at.at("best"), outcome_);
  restore_lowest_loss(at, outcome_);
  early_stopping_.restore(at.at("early_stopping"));
  schedule_.restore(at.at("schedule"));
  loss_sum_ = at.at("loss_sum");
  source_tokens_ = at.at("source_tokens");
  target_tokens_ = at.at("target_tokens");
  gradient_norm_ = at.at("gradient_norm");
  reported_seconds_ = at.at("reported_seconds");
  started_ = std::chrono::steady_clock::now() -
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double>(at.at("seconds").get<double>()));
  read_tensors(state.tensors, "weights", unique_named_parameters(model_));
  step_->load_state(state.tensors);
  guard_.load_state(model_, state.tensors, at.at("failed_updates"));
  if (average_) average_->load_state(model_, state.tensors);
  if (peers_.is_leader()) checkpoints_.restore(at.at("checkpoints"));
  if (peers_.is_leader()) metrics_.resume(at.at("metrics_bytes"));
  if (at.at("within_epoch").get<bool>()) {
    plan_epoch({at.at("bucket"), at.at("batch_in_bucket")});
    if (stream_->at_end()) stream_.reset();  // of a corpus that was longer
  }
  agreed_seconds_ = seconds();
  restored_ = true;
  saved_update_ = outcome_.updates;
  saved_seconds_ = seconds();
} catch (const nlohmann::json::exception&) {
  throw Error(directory_.run_state().string() +
              ": lacks what a training state has to say; say --restart to begin anew");
}

}  // namespace nmt
