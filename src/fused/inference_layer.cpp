#include "fused/inference_layer.h"

#include "kernels/recurrent_cell.h"

namespace nmt {

void InferenceLayer::step(RecurrentCell cell, const RecurrentWeights& weights, ConstMatrix input,
                          const float* const* addends, const RecurrentStep& step) {
  const int64_t padded = padded_rows(step.hidden.rows);
  Matrix from_input;
  if (weights.input) {
    from_input = from_input_.take(padded, weights.input->outputs());
    weights.input->multiply(input.row_range(0, padded), from_input);
  }
  const auto from_hidden = from_hidden_.take(padded, weights.hidden.outputs());
  weights.hidden.multiply(step.before.row_range(0, padded), from_hidden);
  if (cell == RecurrentCell::kLstm) {
    lstm_step(from_input, addends, from_hidden, weights.hidden_bias, step.cell_before, step.cell,
              step.hidden);
  } else {
    gru_step(from_input, addends, from_hidden, weights.hidden_bias, step.before, step.hidden);
  }
}

}  // namespace nmt
