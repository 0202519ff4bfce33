#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/parameter.h"

namespace nmt {

struct LossGradient {
  double negative_log_likelihood = 0.0;  // Σ −log p(y_t)
  Matrix states;                         // [N, H]  gradient of h̃
};

/// Output layer, log-softmax, label-smoothed loss and the gradients of all three, some rows at a
/// time so that the block of logits stays in the cache: the [N, V] matrix never exists.
class FusedGeneratorLoss {
 public:
  FusedGeneratorLoss(const Parameter& weight, const Parameter& bias)
      : weight_(weight), bias_(bias) {}

  /// states [N, H] h̃, targets [N] -> loss; adds the gradient of scale · Σ objective to the
  /// parameters'.
  LossGradient run(ConstMatrix states, const std::vector<int64_t>& targets, double label_smoothing,
                   double scale);

 private:
  Parameter weight_;  // [V, H]
  Parameter bias_;    // [1, V]
  Buffer logits_;
  Buffer states_gradient_;
};

}  // namespace nmt
