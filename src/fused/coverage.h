#pragma once

#include <cstdint>

#include "fused/buffer.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"
#include "kernels/attention_row.h"

namespace nmt {

/// The coverage C_t,i = Σ_{t' < t} a_t',i of packed queries (nn/attention.h), forward and backward.
class FusedCoverage {
 public:
  /// `folded`: W_f of fused/attention_form.h, which is folded into the keys and therefore into w_c;
  /// may be absent.
  FusedCoverage(const Parameter& weight, const Parameter& folded)
      : weight_(weight), folded_(folded) {}

  /// The batch stays in place until finish().
  void begin(const PackedBatch& batch);

  /// W_fᵀ w_c [H], after begin().
  const float* weight() const { return folded_weight_.data; }

  /// C [source.size] of a row, after forward().
  const float* of(int64_t row) const { return coverage_.matrix().row(row); }

  /// C of target rows [first, first + rows), from the weights [target rows, ·] of the step before.
  void forward(int64_t first, int64_t rows, ConstMatrix weights);

  /// The gradient [source.size] of a row's weights from later steps, after the backward passes of
  /// these.
  const float* weights_gradient(int64_t row) const { return gradient_.matrix().row(row); }

  /// Where a row's own step accumulates the gradients of its C (in the memory of
  /// weights_gradient()) and of weight().
  CoverageGradient gradient(int64_t row) const {
    return {gradient_.matrix().row(row), folded_gradient_.matrix().data};
  }

  /// Adds the gradient of C of a row, once complete, to that of the previous step.
  void backward_row(int64_t row);

  /// Records the gradients of w_c and, through it, of W_f.
  void finish(WeightGradients& gradients);

 private:
  Parameter weight_;
  Parameter folded_;
  const PackedBatch* batch_ = nullptr;
  ConstMatrix folded_weight_;  // [1, H]
  Buffer folded_buffer_;       // [1, H]
  Buffer folded_gradient_;     // [1, H]  of folded_weight_
  Buffer weight_gradient_;     // [1, H]  of w_c
  Buffer coverage_;            // [target rows, longest source]
  Buffer gradient_;            // [target rows, longest source]  of C of the steps after, then also
                               // of the row's own
};

}  // namespace nmt
