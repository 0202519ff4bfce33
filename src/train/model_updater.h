#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "checkpoint/safetensors.h"
#include "nn/seq2seq.h"
#include "train/steps/divergence_guard.h"
#include "train/steps/schedule.h"
#include "train/steps/training_step.h"
#include "train/steps/weight_average.h"
#include "train/training_run.h"

namespace nmt {

/// Updates the weights: optimizer step at the scheduled learning rate, moving average, and recovery
/// from losses and gradients that are not finite.
class ModelUpdater {
 public:
  /// The result of an update.
  struct Result {
    bool applied = false;  // otherwise skipped: loss or gradient is not finite
    bool rolled_back = false;
  };

  /// May move the network's parameters to other memory.
  ModelUpdater(const TrainingRun& run, const Seq2Seq& network);

  /// The factor of the learning rate after a rollback.
  static constexpr double kRollbackFactor = 0.5;

  /// Applies the gradients that step() has accumulated. loss: summed over all processes;
  /// last_update: the run's last update by its limits. Returns the gradient's norm before clipping;
  /// the update is skipped if loss or norm is not finite.
  DeferredNumber apply_update(const DeferredNumber& loss, int64_t update, int64_t epoch,
                              int64_t last_update);

  /// Call after apply_update() and before the next, with its loss and norm: updates the moving
  /// average or recovers. Throws Error when training has diverged.
  Result finish_update(double loss, double gradient_norm, int64_t update);

  /// Whether gradients of the next update may be accumulated before finish_update(), because that
  /// cannot roll back.
  bool may_finish_later() const { return !guard_.has_failures(); }

  void observe_validation(bool improved) { schedule_.observe_validation(improved); }

  TrainingStep& step() const { return *step_; }
  const DivergenceGuard& guard() const { return guard_; }
  const LearningRateSchedule& schedule() const { return schedule_; }

  /// The moving average, null without train.ema_decay.
  WeightAverage* average() const { return average_.get(); }

  /// Saves the whole state: tensors into `tensors`, the rest into `progress`.
  void save_state(nlohmann::json& progress, TensorFile& tensors) const;
  void load_state(const nlohmann::json& progress, const TensorFile& tensors);

 private:
  Seq2Seq network_;
  std::unique_ptr<TrainingStep> step_;
  DivergenceGuard guard_;
  LearningRateSchedule schedule_;
  std::unique_ptr<WeightAverage> average_;
};

}  // namespace nmt
