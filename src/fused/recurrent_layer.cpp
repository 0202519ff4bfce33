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

RecurrentLayer::RecurrentLayer(RecurrentCell cell, const RecurrentParameters& parameters)
    : cell_(cell), parameters_(parameters) {}

void RecurrentLayer::begin(int64_t rows) {
  const auto& weight = parameters_.weight_hh.value;
  gates_.take(rows, 4 * hidden_size());
  if (cell_ == RecurrentCell::kLstm) cells_.take(rows, hidden_size());
  transpose(weight, hidden_transpose_.take(weight.columns, weight.rows));
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
  const auto& weight = hidden_transpose_.matrix();
  const float* input_bias = parameters_.bias_ih.value.data;
  const float* hidden_bias = parameters_.bias_hh.value.data;
  if (cell_ == RecurrentCell::kLstm) {
    multiply(previous, weight, step.row_range(0, previous.rows), Into::kAdd);
    lstm_forward(step, input_bias, hidden_bias, previous_cell,
                 cells_.matrix().row_range(first, output.rows), output);
    return;
  }
  const auto products = hidden_products_.take(previous.rows, weight.columns);
  multiply(previous, weight, products, Into::kReplace);
  gru_forward(step, products, input_bias, hidden_bias, previous, output);
}

void RecurrentLayer::backward(int64_t first, ConstMatrix previous, ConstMatrix previous_cell,
                              Matrix gradient, Matrix cell_gradient) {
  const auto step = gates(first, gradient.rows);
  const auto& weight = parameters_.weight_hh.value;
  const auto through_weight = step.row_range(0, previous.rows).column_range(0, weight.rows);
  const auto of_previous = gradient.row_range(0, previous.rows);
  if (cell_ == RecurrentCell::kLstm) {
    lstm_backward(step, previous_cell, cells_.matrix().row_range(first, gradient.rows), gradient,
                  cell_gradient);
    multiply(through_weight, weight, of_previous, Into::kReplace);
  } else {
    gru_backward(step, previous, gradient);
    multiply(through_weight, weight, of_previous, Into::kAdd);
  }
}

void RecurrentLayer::add_weight_gradients(ConstMatrix previous) {
  const auto all = gates_.matrix();
  const int64_t width = parameters_.weight_hh.value.rows;
  const auto of_hidden = all.column_range(0, width);
  multiply_transpose_by(of_hidden, previous, parameters_.weight_hh.gradient, Into::kAdd);
  add_column_sums(of_hidden, parameters_.bias_hh.gradient.data);
  float* input_bias = parameters_.bias_ih.gradient.data;
  if (cell_ == RecurrentCell::kLstm) {
    add_column_sums(of_hidden, input_bias);
  } else {
    const int64_t two_gates = 2 * hidden_size();  // r and z, which have one gradient for both
    add_column_sums(all.column_range(0, two_gates), input_bias);
    add_column_sums(all.column_range(width, hidden_size()), input_bias + two_gates);
  }
}

void RecurrentLayer::add_input_weight_gradient(int64_t first, ConstMatrix x, int64_t column) {
  const auto rows = gates(first, x.rows);
  const auto weight = parameters_.weight_ih.gradient.column_range(column, x.columns);
  if (cell_ == RecurrentCell::kLstm) {
    multiply_transpose_by(rows, x, weight, Into::kAdd);
    return;
  }
  const int64_t two_gates = 2 * hidden_size();
  multiply_transpose_by(rows.column_range(0, two_gates), x, weight.row_range(0, two_gates),
                        Into::kAdd);
  multiply_transpose_by(rows.column_range(weight.rows, hidden_size()), x,
                        weight.row_range(two_gates, hidden_size()), Into::kAdd);
}

void RecurrentLayer::input_gradient(int64_t first, int64_t column, Into into,
                                    Matrix gradient) const {
  const auto rows = gates(first, gradient.rows);
  const auto weight = parameters_.weight_ih.value.column_range(column, gradient.columns);
  if (cell_ == RecurrentCell::kLstm) {
    multiply(rows, weight, gradient, into);
    return;
  }
  const int64_t two_gates = 2 * hidden_size();
  multiply(rows.column_range(0, two_gates), weight.row_range(0, two_gates), gradient, into);
  multiply(rows.column_range(weight.rows, hidden_size()),
           weight.row_range(two_gates, hidden_size()), gradient, Into::kAdd);
}

}  // namespace nmt
