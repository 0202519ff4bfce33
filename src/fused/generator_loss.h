#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// Output layer, log-softmax, label-smoothed loss and the gradients of all three, in blocks of rows
/// whose logits stay in cache: the [N, V] matrix is never materialised.
class FusedGeneratorLoss {
 public:
  FusedGeneratorLoss(const Parameter& weight, const Parameter& bias)
      : weight_(weight), bias_(bias) {}

  /// The number of blocks for this many rows.
  int64_t num_blocks(int64_t rows) const;

  /// states [N, H] h̃, targets [N]; both must stay unchanged until the last block.
  void begin(ConstMatrix states, const std::vector<int64_t>& targets);

  /// Σ −log p(y_t) over the block-th of `blocks` equal parts of the rows. Records the gradients of
  /// scale · Σ objective; they must be summed before the next block.
  double run_block(int64_t block, int64_t blocks, double label_smoothing, double scale,
                   WeightGradients& gradients);

  /// [N, H]  gradient of the states, after the last block.
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
