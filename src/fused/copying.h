#pragma once

#include <cstdint>
#include <vector>

#include "fused/attention.h"
#include "fused/buffer.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// Copying (nn/generator.h) in the loss of packed target rows, forward and backward: between the
/// output layer and the attention that it copies from.
class FusedCopying {
 public:
  FusedCopying(const Parameter& gate_weight, const Parameter& gate_bias)
      : gate_weight_(gate_weight), gate_bias_(gate_bias) {}

  /// states [N, H] h̃. All arguments must stay in place until the gradients are summed.
  void begin(ConstMatrix states, const PackedBatch& share, FusedAttention& attention);

  /// copying_loss_row() of a target row. Overwrites `logits` with their gradient and stores those
  /// of the attention and the gate.
  float loss_row(int64_t row, float* logits, const float* bias, int64_t vocabulary_size,
                 TokenWeights weights);

  /// Adds the gradient that the states of rows [first, first + count) have through the gate, and
  /// records the gate's own. After loss_row() of these rows.
  void backward(int64_t first, int64_t count, Matrix states_gradient, WeightGradients& gradients);

 private:
  Parameter gate_weight_;  // [1, H]
  Parameter gate_bias_;    // [1, 1]
  ConstMatrix states_;
  const PackedBatch* share_ = nullptr;
  FusedAttention* attention_ = nullptr;
  Buffer gates_;                 // [N, 1]  γ
  Buffer gate_gradient_;         // [N, 1]
  Buffer copied_;                // [1, V]  zeros between rows
  std::vector<int64_t> tokens_;  // of a row's source
  std::vector<float> weights_;   // [size] its attention
};

}  // namespace nmt
