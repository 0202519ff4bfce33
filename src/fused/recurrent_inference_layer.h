#pragma once

#include <optional>
#include <vector>

#include "fused/buffer.h"
#include "fused/layer_norm.h"
#include "fused/recurrent_layer.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// Weights of a recurrent layer in one direction.
struct RecurrentWeights {
  std::optional<PackedWeight> input;  // W_ih  [gates · H, I], none if the addends include W_ih x
  PackedWeight hidden;                // W_hh  [gates · H, H]
  const float* input_bias = nullptr;
  const float* hidden_bias = nullptr;
  std::optional<CellNorms<InferenceLayerNorm>> norms;
};

/// One step of N rows of hypotheses. Hypotheses with a common parent share its row: row i reads row
/// `rows[i]` of an operand, or row i if `rows` is null.
struct RecurrentStep {
  ConstMatrix input;                      // [·, I]  x_t; unused without W_ih
  const int32_t* input_rows = nullptr;    // [N]
  const float* const* addends = nullptr;  // [N]  rows of a TokenTable, of a first layer
  ConstMatrix before;                     // [·, H]  h_{t−1}
  ConstMatrix cell_before;                // [·, H]  c_{t−1} of an LSTM
  const int32_t* before_rows = nullptr;   // [N]  of both
  Matrix hidden;                          // [N, H]  h_t
  Matrix cell;                            // [N, H]  c_t of an LSTM
};

/// The forward pass of a recurrent layer, for one thread.
class RecurrentInferenceLayer {
 public:
  void step(Cell cell, const RecurrentWeights& weights, const RecurrentStep& step);

 private:
  void normalized_step(Cell cell, const RecurrentWeights& weights, const RecurrentStep& step,
                       ConstMatrix from_input, Matrix from_hidden);

  std::vector<const float*> biases_;  // [N]  the input bias
  Buffer from_input_;                 // [·, gates · H]
  Buffer from_hidden_;                // [·, gates · H]
  // With layer normalization:
  Buffer gates_;        // [N, 4H]
  Buffer cell_before_;  // [N, H]  c_{t−1} of an LSTM
  Buffer seen_cells_;   // [N, H]  normalized c_t
};

}  // namespace nmt
