#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// General attention (nn/attention.h) of packed queries over packed sources, forward and backward.
/// Keys are made once for the batch: h_src · (W h_t) is (h_src W) · h_t, one product of all source
/// rows in place of a small one at every step.
class FusedAttention {
 public:
  explicit FusedAttention(const Parameter& weight) : weight_(weight) {}

  /// values [source rows, H] h_src stay in place until finish().
  void begin(const PackedBatch& batch, ConstMatrix values);

  /// Queries [R, H] of target rows [first, first + R) -> contexts [R, H]
  void forward(const PackedBatch& batch, int64_t first, ConstMatrix queries, Matrix contexts);

  /// Gradient of the contexts -> added to that of the queries, of the same rows.
  void backward(const PackedBatch& batch, int64_t first, ConstMatrix context_gradient,
                Matrix query_gradient);

  /// All steps' part for the source: notes the weight's gradient and returns that of the values.
  /// queries, context_gradient [target rows, H].
  Matrix finish(const PackedBatch& batch, ConstMatrix queries, ConstMatrix context_gradient,
                WeightGradients& gradients);

 private:
  Parameter weight_;
  ConstMatrix values_;
  Buffer keys_;             // [source rows, H]
  Buffer weights_;          // [target rows, longest source]
  Buffer score_gradient_;   // [target rows, longest source]
  Buffer keys_gradient_;    // [source rows, H]
  Buffer values_gradient_;  // [source rows, H]
};

}  // namespace nmt
