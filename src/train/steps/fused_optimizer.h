#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "config/settings.h"
#include "fused/buffer.h"
#include "threads/thread_team.h"
#include "train/steps/flat_parameters.h"
#include "train/steps/fused_adafactor.h"

namespace nmt {

/// All optimizers over flat parameters: the norm in one pass over memory, clipping, the step and
/// zeroing in another, shared among the team.
class FusedOptimizer {
 public:
  /// The last segment ends where the parameters do, which `parameters` lists for Adafactor.
  FusedOptimizer(const TrainConfig& config, std::vector<RateSegment> segments,
                 std::vector<FlatParameter> parameters);

  /// Updates the parameters by the gradient, [size] both, which is zeros afterwards. Returns its
  /// norm; when that is not finite the parameters stay unchanged.
  double step(double learning_rate, float* parameters, float* gradient, ThreadTeam& team);

  /// Forgets moments and steps.
  void reset();

  int64_t steps() const { return steps_; }
  void set_steps(int64_t steps) { steps_ = steps; }

  /// Null with other optimizers.
  const FusedAdafactor* adafactor() const { return adafactor_.get(); }

  /// [size] each; the second is null for sgd, which has only a velocity, and adagrad, which has
  /// only a sum of squares; both for adafactor.
  float* first_moment() const { return first_moment_.matrix().data; }
  float* second_moment() const { return second_moment_.matrix().data; }

 private:
  void zero_frozen(float* gradient) const;
  double norm_of(const float* gradient, ThreadTeam& team) const;
  void update_range(double learning_rate, double scale, int64_t begin, int64_t count,
                    float* parameters, float* gradient);

  TrainConfig config_;
  std::vector<RateSegment> segments_;
  int64_t size_;
  int64_t steps_ = 0;
  Buffer first_moment_;   // of Adam; the velocity of SGD; the sum of squares of Adagrad
  Buffer second_moment_;  // of Adam
  std::unique_ptr<FusedAdafactor> adafactor_;
};

}  // namespace nmt
