#pragma once

#include <cstdint>

#include "fused/buffer.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"
#include "kernels/attention_row.h"

namespace nmt {

/// p = S sigmoid(v_p · tanh(x)) of local attention (nn/attentions/local_p.cpp), for x = W_p h_t
/// [H].
float local_center(ConstMatrix center_weight, const float* x, int64_t source_length);

/// The positions s of `source`, counted from 1, that are at most D from p = `center`. Writes their
/// factors exp(−(s − p)² / 2σ²) to `factors` [source.size], starting at factors[0].
AttendedRows local_window(AttendedRows source, float center, float* factors);

/// The positions at most D from p_t = min(t, S) of monotonic attention (nn/attentions/local_m.cpp),
/// for t = step + 1.
AttendedRows monotonic_window(AttendedRows source, int64_t step);

/// The windows of packed queries, forward and backward.
class FusedLocalWindow {
 public:
  FusedLocalWindow(const Parameter& position, const Parameter& center)
      : position_(position), center_(center) {}

  /// The batch stays in place until finish().
  void begin(const PackedBatch& batch);

  /// Decoder states [R, H] h_t of target rows [first, first + R)
  void forward(int64_t first, ConstMatrix decoder_states);

  /// The source rows that a target row attends to, after forward().
  AttendedRows attended(int64_t row) const;

  /// Where attend_backward() writes f_s df_s of a row, [1, positions in its window].
  float* factor_gradient() const { return factor_gradient_.matrix().data; }

  /// Back-propagates factor_gradient() through f and p of a row; one head.
  void backward_row(int64_t row);

  /// Back-propagates rows [first, first + R) through W_p; adds to the gradient [R, H] of their
  /// decoder states.
  void backward(int64_t first, Matrix decoder_gradient);

  /// Records the gradients of W_p and v_p. decoder_states [target rows, H]
  void finish(ConstMatrix decoder_states, WeightGradients& gradients);

 private:
  Parameter position_;
  Parameter center_;
  const PackedBatch* batch_ = nullptr;
  Buffer hidden_;           // [target rows, H]  W_p h_t
  Buffer hidden_gradient_;  // [target rows, H]
  Buffer center_gradient_;  // [1, H]  of v_p
  Buffer centers_;          // [target rows, 1]  p_t
  Buffer factors_;          // [target rows, longest source]
  Buffer factor_gradient_;  // [1, longest source]
};

}  // namespace nmt
