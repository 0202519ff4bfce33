#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// Output layer, log-softmax, label-smoothed loss and the gradients of all three, some rows at a
/// time so that the block of logits stays in the cache: the [N, V] matrix never exists.
class FusedGeneratorLoss {
 public:
  FusedGeneratorLoss(const Parameter& weight, const Parameter& bias)
      : weight_(weight), bias_(bias) {}

  /// Blocks that so many rows should be cut into.
  int64_t num_blocks(int64_t rows) const;

  /// states [N, H] h̃, targets [N]; both stay in place until the last block.
  void begin(ConstMatrix states, const std::vector<int64_t>& targets);

  /// Σ −log p(y_t) over the block-th of `blocks` equal parts of the rows. Notes the gradients of
  /// scale · Σ objective; they must be summed before the next block.
  double run_block(int64_t block, int64_t blocks, double label_smoothing, double scale,
                   WeightGradients& gradients);

  /// [N, H]  gradient of the states, when all blocks are done.
  Matrix states_gradient() const { return states_gradient_.matrix(); }

 private:
  Factor as_factor(ConstMatrix block);

  Parameter weight_;  // [V, H]
  Parameter bias_;    // [1, V]
  ConstMatrix states_;
  const std::vector<int64_t>* targets_ = nullptr;
  Buffer logits_;
  std::vector<Bfloat16> rounded_;  // the block, where products are in bfloat16
  Buffer states_gradient_;
};

}  // namespace nmt
