#include "fused/recurrent_layer.h"

#include "kernels/elementwise.h"
#include "kernels/recurrent_cell.h"

namespace nmt {

RecurrentParameters find_recurrent_parameters(const ParameterTable& parameters,
                                              const std::string& prefix,
                                              const std::string& suffix) {
  const auto find = [&](const char* name) { return parameters.at(prefix + name + suffix); };
  return {find("weight_ih"), find("weight_hh"), find("bias_ih"), find("bias_hh")};
}

void add_layer(size_t layer, ConstMatrix hidden, Matrix output) {
  if (layer == 0) {
    copy_rows(hidden, output);
  } else {
    add(hidden, output);
  }
}

Matrix add_layer(size_t layer, ConstMatrix hidden, Buffer& output) {
  if (layer == 0) output.take(hidden.rows, hidden.columns);
  add_layer(layer, hidden, output.matrix());
  return output.matrix();
}

RecurrentLayer::RecurrentLayer(Cell cell, const RecurrentParameters& parameters)
    : cell_(cell), parameters_(parameters) {}

void RecurrentLayer::begin(int64_t rows) {
  gates_.take(rows, 4 * hidden_size());
  if (cell_ == Cell::kLstm) cells_.take(rows, hidden_size());
}

Matrix RecurrentLayer::input_products() const {
  return gates_.matrix().column_range(0, parameters_.weight_ih.value.rows);
}

Matrix RecurrentLayer::gates(int64_t first, int64_t rows) const {
  return gates_.matrix().row_range(first, rows);
}

void RecurrentLayer::forward(int64_t first, ConstMatrix previous, ConstMatrix previous_cell,
                             Matrix output) {
  const auto step = gates(first, output.rows);
  const auto& weight = parameters_.weight_hh;
  const float* input_bias = parameters_.bias_ih.value.data;
  const float* hidden_bias = parameters_.bias_hh.value.data;
  if (cell_ == Cell::kLstm) {
    linear(previous, weight, step.row_range(0, previous.rows), WriteMode::kAccumulate);
    lstm_forward(step, input_bias, hidden_bias, previous_cell,
                 cells_.matrix().row_range(first, output.rows), output);
    return;
  }
  const auto products = hidden_products_.take(previous.rows, weight.value.rows);
  linear(previous, weight, products, WriteMode::kOverwrite);
  gru_forward(step, products, input_bias, hidden_bias, previous, output);
}

void RecurrentLayer::backward(int64_t first, ConstMatrix previous, ConstMatrix previous_cell,
                              Matrix gradient, Matrix cell_gradient) {
  const auto step = gates(first, gradient.rows);
  const auto& weight = parameters_.weight_hh;
  const auto through_weight = step.row_range(0, previous.rows).column_range(0, weight.value.rows);
  const auto of_previous = gradient.row_range(0, previous.rows);
  if (cell_ == Cell::kLstm) {
    lstm_backward(step, previous_cell, cells_.matrix().row_range(first, gradient.rows), gradient,
                  cell_gradient);
    linear_backward(through_weight, weight, of_previous, WriteMode::kOverwrite);
  } else {
    gru_backward(step, previous, gradient);
    linear_backward(through_weight, weight, of_previous, WriteMode::kAccumulate);
  }
}

void RecurrentLayer::add_weight_gradients(ConstMatrix previous, WeightGradients& gradients) const {
  const auto all = gates_.matrix();
  const int64_t width = parameters_.weight_hh.value.rows;
  const auto of_hidden = all.column_range(0, width);
  gradients.add_product(parameters_.weight_hh.gradient, of_hidden, previous);
  gradients.add_column_sums(parameters_.bias_hh.gradient, of_hidden);
  const auto& input_bias = parameters_.bias_ih.gradient;
  if (cell_ == Cell::kLstm) {
    gradients.add_column_sums(input_bias, of_hidden);
  } else {
    const int64_t two_gates = 2 * hidden_size();  // r and z, whose gradient both products share
    gradients.add_column_sums(input_bias.column_range(0, two_gates),
                              all.column_range(0, two_gates));
    gradients.add_column_sums(input_bias.column_range(two_gates, hidden_size()),
                              all.column_range(width, hidden_size()));
  }
}

void RecurrentLayer::add_input_weight_gradient(const Parameter& weight_ih, ConstMatrix x,
                                               WeightGradients& gradients) const {
  const auto all = gates_.matrix();
  const auto& weight = weight_ih.gradient;
  if (cell_ == Cell::kLstm) {
    gradients.add_product(weight, all, x);
    return;
  }
  const int64_t two_gates = 2 * hidden_size();
  gradients.add_product(weight.row_range(0, two_gates), all.column_range(0, two_gates), x);
  gradients.add_product(weight.row_range(two_gates, hidden_size()),
                        all.column_range(weight.rows, hidden_size()), x);
}

void RecurrentLayer::input_gradient(const Parameter& weight_ih, int64_t first, WriteMode mode,
                                    Matrix gradient) const {
  const auto rows = gates(first, gradient.rows);
  if (cell_ == Cell::kLstm) {
    linear_backward(rows, weight_ih, gradient, mode);
    return;
  }
  const int64_t two_gates = 2 * hidden_size();
  linear_backward(rows.column_range(0, two_gates), weight_ih.outputs(0, two_gates), gradient, mode);
  linear_backward(rows.column_range(weight_ih.value.rows, hidden_size()),
                  weight_ih.outputs(two_gates, hidden_size()), gradient, WriteMode::kAccumulate);
}

}  // namespace nmt
