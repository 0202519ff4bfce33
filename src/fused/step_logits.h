#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/packed_output_layer.h"
#include "kernels/top_tokens.h"

namespace nmt {

/// The logits of a step's rows, as the output layer computes them: one block [N, tokens] of the
/// vocabulary after another.
class StepLogits {
 public:
  /// Computes W_o h̃ + b_o for h̃ [N, H]; `top` receives each row's `num_best` best tokens and its
  /// softmax denominator.
  void compute(const PackedOutputLayer& output, ConstMatrix attentional_hidden, int64_t num_best,
               std::vector<TopTokens>& top);

  /// [N, tokens]
  Matrix block(size_t number) const;

  float& at(int64_t row, int32_t token) const;

  /// Writes all logits of a row to `to` [V].
  void copy(int64_t row, float* to) const;

 private:
  Buffer logits_;  // [V, N]
};

}  // namespace nmt
