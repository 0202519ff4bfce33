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

/// States of N rows before and after a step, [N, H] each; cells of an LSTM alone.
struct RecurrentStep {
  ConstMatrix before;
  ConstMatrix cell_before;
  Matrix hidden;
  Matrix cell;
};

/// One step of a recurrent layer without a gradient, for one thread.
class InferenceLayer {
 public:
  /// input [P, I] x_t, no data where the weights have no W_ih; addends [N] are what each row gets
  /// besides: the input bias, or what its token gives, bias included. `input` and step.before have
  /// P = padded_rows(N) rows in memory without gaps; N are step.hidden's.
  void step(RecurrentCell cell, const RecurrentWeights& weights, ConstMatrix input,
            const float* const* addends, const RecurrentStep& step);

 private:
  Buffer from_input_;   // [P, gates · H]
  Buffer from_hidden_;  // [P, gates · H]
};

}  // namespace nmt
