#include "fused/recurrent_inference_layer.h"

#include "kernels/recurrent_cell.h"

namespace nmt {

void RecurrentInferenceLayer::step(Cell cell, const RecurrentWeights& weights,
                                   const RecurrentStep& step) {
  CellInput input{{}, step.input_rows, step.addends};
  if (weights.input) {
    const auto product = from_input_.take(step.input.rows, weights.input->outputs());
    weights.input->multiply(step.input, product);
    input.product = product;
  }
  const auto from_hidden = from_hidden_.take(step.before.rows, weights.hidden.outputs());
  weights.hidden.multiply(step.before, from_hidden);
  CellState state{from_hidden, step.before, step.before_rows, weights.hidden_bias};
  if (cell == Cell::kLstm) {
    state.previous = step.cell_before;
    lstm_step(input, state, step.cell, step.hidden);
  } else {
    gru_step(input, state, step.hidden);
  }
}

}  // namespace nmt
