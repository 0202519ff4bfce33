#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "train/steps/schedule.h"
#include "train/training_cost.h"

namespace nmt {

/// Chooses train.max_updates of a run where it is automatic (choose_settings.h), so that the run
/// ends within train.max_minutes: first from the estimated cost, then at 1/16, 1/8, 1/4, 1/2, 3/4
/// and 7/8 of the time from the measured pace, because the load from other programs may change; and
/// just before the last update if that comes before the next of these times. The first update is
/// not typical: its time includes saving the first state and setting up memory and kernels.
/// Reviews before 1/4 of the time only raise the number: early updates are slower, because memory
/// is touched for the first time and the next epoch may be sampled meanwhile; lowering the number
/// too soon would make a linear learning rate dip. Each review leaves 8 % of the remaining time as
/// a margin. When time is up, the next update is the last. The linear schedule follows each change.
class TimePlan {
 public:
  /// An inactive plan, which leaves train.max_updates as it is.
  TimePlan() = default;

  /// Sets train.max_updates if it is automatic, or to 0 if another limit ends the run earlier.
  /// Nothing is automatic afterwards.
  TimePlan(Settings& settings, const TrainingCost& cost);

  /// Revises train.max_updates if a review is due after `seconds` of training; returns whether it
  /// was. `seconds` must be equal in all processes, so that they agree.
  bool review(Settings& settings, const EpochSize& epoch, const TrainedAmount& done,
              double seconds);

  /// For a run resumed after `updates` whose time limit changed by `minutes`: schedules an early
  /// review. A run that had reached its end is given one more update, before which it takes place.
  void add_minutes(double minutes, TrainConfig& train, int64_t updates);

  /// Whether the plan determines train.max_updates.
  bool is_active() const { return seconds_ > 0; }

  nlohmann::json to_json() const;  // null for an inactive plan
  static TimePlan from_json(const nlohmann::json& state);

 private:
  double work(const Settings& settings, const EpochSize& epoch, int64_t updates) const;
  double review_after(double review) const;

  double seconds_ = 0;     // total training time; 0: inactive
  double validation_ = 0;  // cost of a validation, in updates
  double next_review_ = 0;
  double reviewed_seconds_ = 0;
  int64_t reviewed_updates_ = 0;
};

}  // namespace nmt
