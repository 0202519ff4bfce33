#pragma once

#include <optional>

#include "fused/buffer.h"
#include "fused/recurrent_layer.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// What a recurrent layer multiplies by in one direction.
struct RecurrentWeights {
  std::optional<PackedWeight> input;  // W_ih  [gates · H, I], none where addends say it all
  PackedWeight hidden;                // W_hh  [gates · H, H]
  const float* input_bias = nullptr;
  const float* hidden_bias = nullptr;
};

/// One step of N rows of hypotheses. Those that go on from one state may share it: row i takes row
/// `rows[i]` of what is given, or row i where that is null.
struct RecurrentStep {
  ConstMatrix input;                      // [·, I]  x_t; not looked at without W_ih
  const int32_t* input_rows = nullptr;    // [N]
  const float* const* addends = nullptr;  // [N]  what each row gets besides: the input bias, or
                                          // what its token gives, bias included
  ConstMatrix before;                     // [·, H]  h_{t−1}
  ConstMatrix cell_before;                // [·, H]  c_{t−1} of an LSTM
  const int32_t* before_rows = nullptr;   // [N]  of both
  Matrix hidden;                          // [N, H]  h_t
  Matrix cell;                            // [N, H]  c_t of an LSTM
};

/// A recurrent layer without a gradient, for one thread.
class InferenceLayer {
 public:
  void step(RecurrentCell cell, const RecurrentWeights& weights, const RecurrentStep& step);

 private:
  Buffer from_input_;   // [·, gates · H]
  Buffer from_hidden_;  // [·, gates · H]
};

}  // namespace nmt
