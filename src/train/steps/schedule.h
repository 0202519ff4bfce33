#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "config/settings.h"

namespace nmt {

/// The size of an epoch.
struct EpochSize {
  int64_t updates = 0;
  double target_tokens = 0;  // EOS included
};

/// How much a run has trained so far.
struct TrainedAmount {
  int64_t updates = 0;
  int64_t target_tokens = 0;  // EOS and repetitions included
};

/// The run's last update, by whichever of max_updates, max_epochs and max_tokens comes first; 0 if
/// none is set. Updates after `done` are assumed to have the epoch's mean number of tokens.
int64_t last_update(const TrainConfig& config, const EpochSize& epoch,
                    const TrainedAmount& done = {});

/// The learning rate as a function of updates, epochs and validations; after warm-up never below
/// train.min_learning_rate, or the peak if that is lower, unless lower() was called.
///
///   warm-up       rate · u/w                  while update u <= warmup_updates w; any schedule
///   constant      rate
///   linear        rate · (U − u + 1)/(U − w)  U: last_update()
///   inverse_sqrt  rate · √(w/u)               w at least 1
///   noam          rate · H^−½ · u^−½          the same with a peak of rate/√(H w); H: hidden_size
///                                             (Vaswani et al. 2017, section 5.3, equation 3)
///   step          rate · factor^k             k = ⌈(epoch − start)/decay_epochs⌉ after `start`
///   plateau       rate · factor^k             k = times that validation stalled
class LearningRateSchedule {
 public:
  /// hidden_size: H, the model's, for "noam".
  LearningRateSchedule(const TrainConfig& config, int64_t hidden_size);

  /// update and epoch count from 1; last_update: U, for "linear".
  double rate(int64_t update, int64_t epoch, int64_t last_update) const;

  /// Call after every validation, for the plateau schedule.
  void observe_validation(bool improved);

  /// Multiplies all later rates by `factor`; used after a rollback.
  void lower(double factor) { scale_ *= factor; }

  nlohmann::json to_json() const;
  void restore(const nlohmann::json& state);

 private:
  double decay(int64_t update, int64_t epoch, int64_t last_update) const;

  TrainConfig config_;
  int64_t validations_without_improvement_ = 0;
  int64_t plateau_decays_ = 0;
  double scale_ = 1.0;
};

}  // namespace nmt
