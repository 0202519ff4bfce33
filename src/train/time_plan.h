#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "train/steps/schedule.h"
#include "train/training_cost.h"

namespace nmt {

/// The last update of a run whose train.max_updates is automatic (choose_settings.h), chosen so
/// that the run ends within train.max_minutes: at first from the estimate of its cost, then at
/// 1/16, 1/8, 1/4, 1/2, 3/4 and 7/8 of the time from its pace, as other programs may have run, or
/// run now. Each time it leaves a twelfth of what remains for what it cannot know. The linear
/// learning rate follows the last update.
class TimePlan {
 public:
  /// Leaves train.max_updates as it is.
  TimePlan() = default;

  /// Sets train.max_updates if it is automatic, unless max_epochs ends the run earlier, and leaves
  /// nothing automatic.
  TimePlan(Settings& settings, const TrainingCost& cost);

  /// Sets train.max_updates anew where it is time to: after `seconds` of training. The same in all
  /// processes if `seconds` is. Returns whether it was time.
  bool review(Settings& settings, const EpochSize& epoch, const TrainedAmount& done,
              double seconds);

  /// Of a resumed run that has so much more time now, or less: soon sets train.max_updates anew.
  void add_minutes(double minutes);

  /// Whether train.max_updates is the plan's.
  bool is_active() const { return seconds_ > 0; }

  nlohmann::json to_json() const;  // null of a plan that leaves it
  static TimePlan from_json(const nlohmann::json& state);

 private:
  double work(const Settings& settings, const EpochSize& epoch, int64_t updates) const;
  double review_after(double review) const;

  double seconds_ = 0;     // of training in all; 0: max_updates is none of the plan's
  double validation_ = 0;  // takes as long as so many updates
  double next_review_ = 0;
  double reviewed_seconds_ = 0;
  int64_t reviewed_updates_ = 0;
};

}  // namespace nmt
