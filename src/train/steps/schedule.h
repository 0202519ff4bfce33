#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "config/settings.h"

namespace nmt {

/// Of an epoch.
struct EpochSize {
  int64_t updates = 0;
  double target_tokens = 0;  // EOS included
};

/// What a run has trained on.
struct TrainedAmount {
  int64_t updates = 0;
  int64_t target_tokens = 0;  // EOS and repetitions included
};

/// By whichever of max_updates, max_epochs and max_tokens comes first; 0 where none is set. After
/// `done`, updates are taken to have the mean tokens of the epoch's.
int64_t last_update(const TrainConfig& config, const EpochSize& epoch,
                    const TrainedAmount& done = {});

/// The learning rate as a function of updates, epochs and validations.
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
  /// hidden_size: the model's, for "noam".
  LearningRateSchedule(const TrainConfig& config, int64_t hidden_size);

  /// update and epoch count from 1. last_update: of the run, for "linear".
  double rate(int64_t update, int64_t epoch, int64_t last_update) const;

  /// For the plateau schedule.
  void observe_validation(bool improved);

  /// Multiplies every rate from now on, after a rollback.
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
