#include "fused/recurrent_inference_layer.h"

#include <algorithm>

#include "kernels/elementwise.h"
#include "kernels/recurrent_cell.h"

namespace nmt {

void RecurrentInferenceLayer::step(Cell cell, const RecurrentWeights& weights,
                                   const RecurrentStep& step) {
  CellInput input{{}, step.input_rows, step.addends};
  if (step.addends == nullptr || weights.norms) {
    biases_.assign(static_cast<size_t>(step.hidden.rows), weights.input_bias);
    input.addends = biases_.data();
  }
  if (weights.input) {
    const auto product = from_input_.take(step.input.rows, weights.input->outputs());
    weights.input->multiply(step.input, product);
    input.product = product;
  }
  const auto from_hidden = from_hidden_.take(step.before.rows, weights.hidden.outputs());
  weights.hidden.multiply(step.before, from_hidden);
  if (weights.norms) {
    normalized_step(cell, weights, step, input.product, from_hidden);
    return;
  }
  CellState state{from_hidden, step.before, step.before_rows, weights.hidden_bias};
  if (cell == Cell::kLstm) {
    state.previous = step.cell_before;
    lstm_step(input, state, step.cell, step.hidden);
  } else {
    gru_step(input, state, step.hidden);
  }
}

/// Adds the biases after normalization: the rows of the TokenTable do not include them.
void RecurrentInferenceLayer::normalized_step(Cell cell, const RecurrentWeights& weights,
                                              const RecurrentStep& step, ConstMatrix from_input,
                                              Matrix from_hidden) {
  const int64_t count = step.hidden.rows;
  const int64_t width = step.hidden.columns;
  const auto gates = gates_.take_zeros(count, 4 * width);
  const auto products = gates.column_range(0, from_hidden.columns);
  for (int64_t row = 0; row < count; ++row) {
    const auto sum = products.row_range(row, 1);
    if (step.addends != nullptr) std::copy_n(step.addends[row], sum.columns, sum.data);
    if (!weights.input) continue;
    add(from_input.row_range(operand_row(step.input_rows, row), 1), sum);
  }
  weights.norms->input.apply(products, products);
  weights.norms->hidden.apply(from_hidden, from_hidden);
  if (cell == Cell::kGru) {
    gru_step({products, nullptr, biases_.data()},
             {from_hidden, step.before, step.before_rows, weights.hidden_bias}, step.hidden);
    return;
  }
  const auto before = cell_before_.take(count, width);
  for (int64_t row = 0; row < count; ++row) {
    const int64_t from = operand_row(step.before_rows, row);
    add(from_hidden.row_range(from, 1), products.row_range(row, 1));
    std::copy_n(step.cell_before.row(from), width, before.row(row));
  }
  lstm_forward(gates, weights.input_bias, weights.hidden_bias, before, step.cell, step.hidden);
  const auto seen = seen_cells_.take(count, width);
  weights.norms->cell->apply(step.cell, seen);
  lstm_output_forward(gates, seen, step.hidden);
}

}  // namespace nmt
