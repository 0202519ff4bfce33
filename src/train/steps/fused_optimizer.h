#pragma once

#include <cstdint>
#include <vector>

#include "config/settings.h"
#include "fused/buffer.h"
#include "threads/thread_team.h"
#include "train/steps/flat_parameters.h"

namespace nmt {

/// All optimizers over flat parameters: one pass over memory for the norm and another for clipping,
/// update and zeroing, divided among the team.
class FusedOptimizer {
 public:
  /// The end of the last segment is the number of floats.
  FusedOptimizer(const TrainConfig& config, std::vector<RateSegment> segments);

  /// Updates the parameters with the gradient, both [size], and zeroes the gradient. Returns its
  /// norm before clipping; if that is not finite, the parameters stay unchanged.
  double step(double learning_rate, float* parameters, float* gradient, ThreadTeam& team);

  /// Resets moments and step count.
  void reset();

  int64_t steps() const { return steps_; }
  void set_steps(int64_t steps) { steps_ = steps; }

  /// [size] each. sgd has only the first, its velocity; the second is then null.
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
  Buffer first_moment_;   // of Adam; the velocity of SGD
  Buffer second_moment_;  // of Adam
};

}  // namespace nmt
