#pragma once

#include <cstdint>
#include <vector>

#include "config/settings.h"
#include "fused/buffer.h"
#include "support/thread_team.h"

namespace nmt {

/// Adam, AdamW and SGD over flat parameters: summing the threads' gradients, clipping, the step and
/// zeroing are two passes over memory, shared among the team.
class FusedOptimizer {
 public:
  FusedOptimizer(const TrainConfig& config, int64_t size);

  /// Moves the parameters by the sum of the gradients, [size] each, which are zeros afterwards.
  /// Returns the norm of that sum; when it is not finite nothing is moved.
  double step(double learning_rate, float* parameters, const std::vector<float*>& gradients,
              ThreadTeam& team);

 private:
  double sum_gradients(const std::vector<float*>& gradients, ThreadTeam& team) const;
  void update_range(double learning_rate, double scale, int64_t begin, int64_t count,
                    float* parameters, float* gradient);

  TrainConfig config_;
  int64_t size_;
  int64_t steps_ = 0;
  Buffer first_moment_;   // of Adam; the velocity of SGD
  Buffer second_moment_;  // of Adam
};

}  // namespace nmt
