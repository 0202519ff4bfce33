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

/// Changes the weights: gradient and optimizer step at the learning rate of the schedule, moving
/// average, and what happens when a loss or gradient is not finite.
class ModelUpdater {
 public:
  /// What became of an update.
  struct Result {
    bool applied = false;  // otherwise skipped: loss or gradient is not finite
    bool rolled_back = false;
    double gradient_norm = 0.0;  // before clipping
  };

  /// May move the network's parameters to other memory.
  ModelUpdater(const TrainingRun& run, const Seq2Seq& network);

  /// The factor of the learning rate after a rollback.
  static constexpr double kRollbackFactor = 0.5;

  /// Makes the update of the gradients that step() has accumulated, whose loss, summed over all
  /// processes, is `loss`; last_update: of the run, by its limits. Throws Error when training has
  /// diverged.
  Result apply_update(double loss, int64_t update, int64_t epoch, int64_t last_update);

  void observe_validation(bool improved) { schedule_.observe_validation(improved); }

  TrainingStep& step() const { return *step_; }
  const DivergenceGuard& guard() const { return guard_; }
  const LearningRateSchedule& schedule() const { return schedule_; }

  /// The moving average, null without train.ema_decay.
  WeightAverage* average() const { return average_.get(); }

  /// All of its state: tensors into `tensors`, the rest into `progress`.
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
