#pragma once

#include <cstdint>
#include <optional>

#include "fused/attention_form.h"
#include "fused/buffer.h"
#include "fused/coverage.h"
#include "fused/local_window.h"
#include "fused/packed_batch.h"
#include "fused/weight_gradients.h"
#include "kernels/attention_row.h"

namespace nmt {

/// Attention (nn/attention.h) of packed queries over packed sources, forward and backward. Work
/// that depends only on the source is done for the whole batch at once. In backward passes of this
/// folder, `of_x` is the gradient with respect to x.
class FusedAttention {
 public:
  explicit FusedAttention(const AttentionForm& form);

  bool attends() const { return form_.attends; }

  /// The batch and states [source rows, H] h_src stay in place until finish().
  void begin(const PackedBatch& batch, ConstMatrix states);

  /// Decoder states [R, H] h_t of target rows [first, first + R) -> contexts [R, H]
  void forward(int64_t first, ConstMatrix decoder_states, Matrix contexts);

  /// Writes the weights of a target row, averaged over heads, to `mean` [size], and returns the
  /// `size` source rows that they belong to. After forward().
  AttendedRows average_weights(int64_t row, float* mean) const;

  /// [longest source], zeros after begin(): where a model that copies puts the gradient of
  /// average_weights(), before backward().
  float* average_gradient(int64_t row) { return average_gradient_.matrix().row(row); }

  /// Adds the gradient of the decoder states to `decoder_gradient` [R, H], from context_gradient
  /// [R, H] and the gradients that guided alignment and copying give the weights. Same rows as in
  /// forward().
  void backward(int64_t first, ConstMatrix decoder_states, ConstMatrix context_gradient,
                Matrix decoder_gradient);

  /// After backward() of all steps: records the gradients of the matrices and returns that of h_src
  /// [source rows, H]. decoder_states, context_gradient [target rows, H].
  Matrix finish(ConstMatrix decoder_states, ConstMatrix context_gradient,
                WeightGradients& gradients);

 private:
  AttendedRows attended(int64_t row) const;
  void set_guide(int64_t row, float* gradient) const;
  const float* weights_gradient(int64_t row);
  void backward_to_source(ConstMatrix queries, ConstMatrix mixture_gradient);
  Matrix backward_to_states(WeightGradients& gradients);
  template <typename Visit>
  void for_each_position(Visit&& visit) const;

  AttentionForm form_;
  AttentionScore score_;
  std::optional<FusedLocalWindow> window_;
  std::optional<FusedCoverage> coverage_;
  const PackedBatch* batch_ = nullptr;
  ConstMatrix states_;       // [source rows, H]
  ConstMatrix source_keys_;  // [source rows, H]  W_k h_src, or rows of W_a
  ConstMatrix keys_;         // [source rows, H]
  ConstMatrix values_;       // [source rows, H]
  Buffer source_keys_buffer_;
  Buffer keys_buffer_;
  Buffer values_buffer_;
  Buffer queries_;           // [target rows, H]  only with W_q
  Buffer mixtures_;          // [target rows, H]  Σ_i weights_i value_i, only with W_O
  Buffer weights_;           // [target rows, heads · longest source]  of the attended rows
  Buffer score_gradient_;    // [target rows, heads · longest source]  likewise
  Buffer query_gradient_;    // [target rows, H]  only with W_q
  Buffer mixture_gradient_;  // [target rows, H]  only with W_O
  Buffer energy_gradient_;   // [1, H]
  Buffer average_gradient_;  // [target rows, longest source]  of the weights, from copying
  Buffer weights_gradient_;  // [1, longest source]  of a row's weights, except through c_t
  Buffer keys_gradient_;     // [source rows, H]
  Buffer source_gradient_;   // [source rows, H]  of W_k h_src
  Buffer values_gradient_;   // [source rows, H]
  Buffer states_gradient_;   // [source rows, H]
};

}  // namespace nmt
