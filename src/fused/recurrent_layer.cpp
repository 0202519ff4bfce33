#include "fused/recurrent_layer.h"

#include <algorithm>

#include "kernels/elementwise.h"
#include "kernels/recurrent_cell.h"

namespace nmt {

RecurrentParameters find_recurrent_parameters(const ParameterTable& parameters,
                                              const std::string& prefix, int64_t layer,
                                              bool reverse) {
  const auto suffix = "_l" + std::to_string(layer) + (reverse ? "_reverse" : "");
  const auto find = [&](const char* name) { return parameters.at(prefix + name + suffix); };
  const auto find_any = [&](const char* name) {
    const auto found = parameters.find(prefix + name + suffix);
    return found == parameters.end() ? Parameter() : found->second;
  };
  return {find("weight_ih"),   find("weight_hh"),   find("bias_ih"),    find("bias_hh"),
          find_any("gain_ih"), find_any("gain_hh"), find_any("gain_c"), find_any("bias_c")};
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
    : cell_(cell), parameters_(parameters) {
  if (parameters.is_normalized()) norms_.emplace(parameters);
}

void RecurrentLayer::begin(int64_t rows, const StateDropout& dropout) {
  dropout_ = dropout;
  gates_.take(rows, 4 * hidden_size());
  if (cell_ == Cell::kLstm) cells_.take(rows, hidden_size());
  if (!norms_) return;
  norms_->input.begin(rows);
  norms_->hidden.begin(rows);
  of_input_.take(rows, parameters_.weight_hh.value.rows);
  of_hidden_.take(rows, parameters_.weight_hh.value.rows);
  if (!norms_->cell) return;
  norms_->cell->begin(rows);
  seen_cells_.take(rows, hidden_size());
}

Matrix RecurrentLayer::input_products() const {
  return gates_.matrix().column_range(0, parameters_.weight_ih.value.rows);
}

/// What W_hh reads of h_{t−1}.
ConstMatrix RecurrentLayer::drop_state(int64_t first, ConstMatrix previous) {
  if (!dropout_.acts()) return previous;
  const auto read = dropped_state_.take(previous.rows, previous.columns);
  copy_rows(previous, read);
  dropout_.apply(first, read);
  return read;
}

/// W_hh h_{t−1}, normalized with cell_layer_norm.
ConstMatrix RecurrentLayer::hidden_products(int64_t first, ConstMatrix read) {
  const auto& weight = parameters_.weight_hh;
  const auto products = hidden_products_.take(read.rows, weight.value.rows);
  linear(read, weight, products, WriteMode::kOverwrite);
  if (norms_) norms_->hidden.forward(first, products, products);
  return products;
}

void RecurrentLayer::forward(int64_t first, ConstMatrix previous, ConstMatrix previous_cell,
                             Matrix output) {
  const auto step = gates_.matrix().row_range(first, output.rows);
  const auto& weight = parameters_.weight_hh;
  const auto read = drop_state(first, previous);
  const float* input_bias = parameters_.bias_ih.value.data;
  const float* hidden_bias = parameters_.bias_hh.value.data;
  if (norms_) {
    const auto products = step.column_range(0, weight.value.rows);
    norms_->input.forward(first, products, products);
  }
  if (cell_ == Cell::kGru) {
    gru_forward(step, hidden_products(first, read), input_bias, hidden_bias, previous, output);
    return;
  }
  const auto with_previous = step.row_range(0, previous.rows);
  if (norms_) {
    add(hidden_products(first, read), with_previous);
  } else {
    linear(read, weight, with_previous, WriteMode::kAccumulate);
  }
  const auto cells = cells_.matrix().row_range(first, output.rows);
  lstm_forward(step, input_bias, hidden_bias, previous_cell, cells, output);
  if (!norms_) return;
  const auto seen = seen_cells_.matrix().row_range(first, output.rows);
  norms_->cell->forward(first, cells, seen);
  lstm_output_forward(step, seen, output);
}

void RecurrentLayer::backward(int64_t first, ConstMatrix previous, ConstMatrix previous_cell,
                              Matrix gradient, Matrix cell_gradient) {
  const auto step = gates_.matrix().row_range(first, gradient.rows);
  const auto& weight = parameters_.weight_hh;
  auto mode = WriteMode::kAccumulate;
  if (cell_ == Cell::kGru) {
    gru_backward(step, previous, gradient);
  } else {
    mode = WriteMode::kOverwrite;
    ConstMatrix of_output = gradient;
    if (norms_) {
      lstm_output_backward(step, seen_cells_.matrix().row_range(first, gradient.rows), gradient);
      norms_->cell->backward(first, gradient);
      add(gradient, cell_gradient);
      of_output = {};
    }
    lstm_backward(step, previous_cell, cells_.matrix().row_range(first, gradient.rows), of_output,
                  cell_gradient);
  }
  const auto through_weight =
      norms_ ? unnormalize(first, step, previous.rows)
             : step.row_range(0, previous.rows).column_range(0, weight.value.rows);
  backward_through_hidden_weight(first, through_weight, mode, gradient.row_range(0, previous.rows));
}

void RecurrentLayer::backward_through_hidden_weight(int64_t first, ConstMatrix of_products,
                                                    WriteMode mode, Matrix of_previous) {
  const auto& weight = parameters_.weight_hh;
  if (!dropout_.acts() || mode == WriteMode::kOverwrite) {
    linear_backward(of_products, weight, of_previous, mode);
    dropout_.apply(first, of_previous);
    return;
  }
  // Masked in a separate buffer: of_previous already holds the gradient of z ⊙ h_{t−1}, which is
  // not masked.
  const auto of_read = dropped_state_.take(of_previous.rows, of_previous.columns);
  linear_backward(of_products, weight, of_read, WriteMode::kOverwrite);
  dropout_.apply(first, of_read);
  add(of_read, of_previous);
}

/// From the gradients of the two normalized products of a step, computes those of the products;
/// returns that of W_hh h_{t−1}, for the rows that have a previous step.
Matrix RecurrentLayer::unnormalize(int64_t first, ConstMatrix step, int64_t rows_before) {
  const int64_t width = of_input_.matrix().columns;
  const auto of_input = of_input_.matrix().row_range(first, step.rows);
  const auto of_hidden = of_hidden_.matrix().row_range(first, step.rows);
  copy_rows(step.column_range(0, width), of_input);
  copy_rows(step.column_range(0, width), of_hidden);
  if (cell_ == Cell::kGru) {  // n has another one through x_t
    copy_rows(step.column_range(width, hidden_size()),
              of_input.column_range(width - hidden_size(), hidden_size()));
  }
  norms_->input.backward(first, of_input);
  const auto before = of_hidden.row_range(0, rows_before);
  norms_->hidden.backward(first, before);
  const auto without = of_hidden.row_range(rows_before, step.rows - rows_before);
  std::fill_n(without.data, without.rows * without.columns, 0.0F);
  return before;
}

void RecurrentLayer::add_weight_gradients(Matrix previous, WeightGradients& gradients) const {
  dropout_.apply(0, previous);
  const auto all = gates_.matrix();
  const int64_t width = parameters_.weight_hh.value.rows;
  const auto of_hidden = all.column_range(0, width);
  gradients.add_product(parameters_.weight_hh.gradient, norms_ ? of_hidden_.matrix() : of_hidden,
                        previous);
  if (norms_) {
    norms_->input.add_weight_gradients(gradients);
    norms_->hidden.add_weight_gradients(gradients);
    if (norms_->cell) norms_->cell->add_weight_gradients(gradients);
  }
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
  const auto& all = (norms_ ? of_input_ : gates_).matrix();
  const auto& weight = weight_ih.gradient;
  if (norms_ || cell_ == Cell::kLstm) {
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
  const auto rows = (norms_ ? of_input_ : gates_).matrix().row_range(first, gradient.rows);
  if (norms_ || cell_ == Cell::kLstm) {
    linear_backward(rows, weight_ih, gradient, mode);
    return;
  }
  const int64_t two_gates = 2 * hidden_size();
  linear_backward(rows.column_range(0, two_gates), weight_ih.outputs(0, two_gates), gradient, mode);
  linear_backward(rows.column_range(weight_ih.value.rows, hidden_size()),
                  weight_ih.outputs(two_gates, hidden_size()), gradient, WriteMode::kAccumulate);
}

}  // namespace nmt
