#include "train/model_updater.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "train/steps/named_parameters.h"

namespace nmt {
namespace {

/// All parameters that training changes.
std::vector<NamedTensor> trained_parameters(const Seq2Seq& network, const TrainingStep& step) {
  auto parameters = unique_named_parameters(network);
  for (auto& parameter : step.auxiliary_parameters()) parameters.push_back(std::move(parameter));
  return parameters;
}

}  // namespace

ModelUpdater::ModelUpdater(const TrainingRun& run, const Seq2Seq& network)
    : network_(network),
      step_(make_training_step(network, run.fingerprint.settings.train, run.device,
                               run.fingerprint.threads, run.tokenizers, &run.group)),
      guard_(trained_parameters(network, *step_)),
      schedule_(run.fingerprint.settings.train, run.fingerprint.settings.model.hidden_size) {
  const double decay = run.fingerprint.settings.train.ema_decay;
  if (decay > 0) average_ = std::make_unique<WeightAverage>(network_, decay);
}

DeferredNumber ModelUpdater::apply_update(const DeferredNumber& loss, int64_t update, int64_t epoch,
                                          int64_t last_update) {
  if (loss.is_known() && !std::isfinite(loss)) {
    step_->zero_grad();
    return 0.0;
  }
  return step_->update(schedule_.rate(update, epoch, last_update));
}

ModelUpdater::Result ModelUpdater::finish_update(double loss, double gradient_norm,
                                                 int64_t update) {
  Result result;
  result.applied = std::isfinite(loss) && std::isfinite(gradient_norm);
  if (result.applied) {
    guard_.record_success(update);
    if (average_) average_->update(network_);
  } else if (guard_.record_failure(update)) {  // rolls back to good weights
    result.rolled_back = true;
    schedule_.lower(kRollbackFactor);
    step_->reset();
    if (average_) average_->reset(network_);
  }
  return result;
}

void ModelUpdater::save_state(nlohmann::json& progress, TensorFile& tensors) const {
  progress["schedule"] = schedule_.to_json();
  progress["failed_updates"] = guard_.counters();
  add_tensors(tensors, "weights", unique_named_parameters(network_));
  step_->save_state(tensors);
  guard_.save_state(tensors);
  if (average_) average_->save_state(tensors);
}

void ModelUpdater::load_state(const nlohmann::json& progress, const TensorFile& tensors) {
  schedule_.restore(progress.at("schedule"));
  read_tensors(tensors, "weights", unique_named_parameters(network_));
  step_->load_state(tensors);
  guard_.load_state(tensors, progress.at("failed_updates"));
  if (average_) average_->load_state(network_, tensors);
}

}  // namespace nmt
