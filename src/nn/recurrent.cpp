#include "nn/recurrent.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "config/dropout_rates.h"
#include "config/layers.h"
#include "nn/cuda/device_operations.h"
#include "nn/cuda/gru_layer.h"
#include "nn/dropout.h"

namespace nmt {

namespace {

/// The number of packed rows of each step.
std::vector<int64_t> sizes_of(const torch::Tensor& batch_sizes) {
  const auto* sizes = batch_sizes.data_ptr<int64_t>();
  return {sizes, sizes + batch_sizes.size(0)};
}

/// The sequence of each packed row.
torch::Tensor sequences_of(const torch::Tensor& batch_sizes, at::Device device) {
  std::vector<torch::Tensor> steps;
  for (const int64_t size : sizes_of(batch_sizes)) steps.push_back(torch::arange(size, device));
  return torch::cat(steps);
}

}  // namespace

RecurrentOptions recurrent_options(const ModelConfig& model, int64_t input_size) {
  RecurrentOptions options{model.cell, input_size, model.hidden_size, num_decoder_layers(model),
                           dropout_rates(model).recurrent};
  options.variational_dropout = model.variational_dropout;
  options.state_dropout = model.state_dropout;
  options.residual = model.residual;
  options.cell_layer_norm = model.cell_layer_norm;
  return options;
}

RecurrentStackImpl::RecurrentStackImpl(const RecurrentOptions& options) : options_(options) {
  const int64_t gates = options.cell == Cell::kGru ? 3 : 4;
  const int64_t rows = gates * options.hidden_size;
  const int64_t directions = options.num_directions();
  const double bound = 1.0 / std::sqrt(static_cast<double>(options.hidden_size));
  const auto add_norm = [&](const std::string& name, const torch::Tensor& initial) {
    norms_.push_back(register_parameter(name, initial));
  };
  const auto add = [&](const std::string& name, at::IntArrayRef shape) {
    auto weight = register_parameter(name, torch::empty(shape));
    torch::nn::init::uniform_(weight, -bound, bound);
    weights_.push_back(weight);
  };
  for (int64_t layer = 0; layer < options.num_layers; ++layer) {
    const int64_t input = layer == 0 ? options.input_size : options.hidden_size * directions;
    for (int64_t direction = 0; direction < directions; ++direction) {
      const std::string suffix = "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
      add("weight_ih" + suffix, {rows, input});
      add("weight_hh" + suffix, {rows, options.hidden_size});
      add("bias_ih" + suffix, {rows});
      add("bias_hh" + suffix, {rows});
      if (!options.cell_layer_norm) continue;
      add_norm("gain_ih" + suffix, torch::ones({rows}));
      add_norm("gain_hh" + suffix, torch::ones({rows}));
      if (options.cell == Cell::kGru) continue;
      add_norm("gain_c" + suffix, torch::ones({options.hidden_size}));
      add_norm("bias_c" + suffix, torch::zeros({options.hidden_size}));
    }
  }
}

void RecurrentStackImpl::to(torch::Device device, bool non_blocking) {
  Module::to(device, non_blocking);
  if (!at::cudnn_is_acceptable(weights_[0]) || runs_as_kernels(weights_[0])) return;
  const at::NoGradGuard no_gradients;
  constexpr int64_t kLstmMode = 2, kGruMode = 3;  // cuDNN's numbers
  constexpr int64_t kNoProjection = 0;
  constexpr bool kBatchFirst = true;
  for (int64_t layer = 0; layer < options_.num_layers; ++layer) {
    const auto weights = weights_of(layer, 1);
    const int64_t input = weights.front().size(1);
    at::_cudnn_rnn_flatten_weight(
        weights, 4, input, options_.cell == Cell::kGru ? kGruMode : kLstmMode, options_.hidden_size,
        kNoProjection, /*num_layers=*/1, kBatchFirst, options_.bidirectional);
  }
}

at::TensorList RecurrentStackImpl::weights_of(int64_t first, int64_t count) const {
  const int64_t tensors = 4 * options_.num_directions();  // of a layer
  return at::TensorList(weights_).slice(static_cast<size_t>(first * tensors),
                                        static_cast<size_t>(count * tensors));
}

RecurrentState RecurrentStackImpl::zero_state(int64_t batch_size) const {
  const auto zeros = torch::zeros(
      {options_.num_layers * options_.num_directions(), batch_size, options_.hidden_size},
      weights_[0].options().requires_grad(false));
  return {zeros, options_.cell == Cell::kLstm ? zeros.clone() : torch::Tensor()};
}

/// Whether layers over `input` run as kernels.
bool RecurrentStackImpl::runs_as_kernels(const torch::Tensor& input) const {
  return options_.cell == Cell::kGru && !options_.cell_layer_norm &&
         (options_.state_dropout == 0 || !is_training()) && has_step_operations(input);
}

/// input [B, T, I], or packed [rows, I] with its batch sizes -> output of the top layer, likewise.
torch::Tensor RecurrentStackImpl::run(const torch::Tensor& input, const Ends& ends,
                                      RecurrentState& state) {
  const auto& batch_sizes = ends.batch_sizes;
  const bool as_kernels = runs_as_kernels(input);
  const bool masked = is_training() && options_.state_dropout > 0;
  if (masked && !state.state_mask.defined()) {
    constexpr bool kTrain = true;
    state.state_mask = at::dropout(torch::ones_like(state.hidden), options_.state_dropout, kTrain);
  }
  const bool step_by_step = masked || options_.cell_layer_norm;
  // On a GPU several layers, too, because the random state of cuDNN's own dropout cannot be saved;
  // to() relies on this.
  const bool layer_by_layer = as_kernels || step_by_step || options_.residual ||
                              options_.variational_dropout ||
                              (input.is_cuda() && options_.num_layers > 1);
  if (!layer_by_layer) {
    return run_layers(input, batch_sizes, 0, options_.num_layers, state);
  }
  const int64_t directions = options_.num_directions();
  std::vector<torch::Tensor> hidden, cell;
  torch::Tensor output;
  const auto run_layer = [&](int64_t layer, const torch::Tensor& read,
                             RecurrentState& layer_state) {
    if (as_kernels) return run_kernels(read, ends.lengths, layer, layer_state);
    return step_by_step ? run_steps(read, batch_sizes, layer, layer_state)
                        : run_layers(read, batch_sizes, layer, 1, layer_state);
  };
  for (int64_t layer = 0; layer < options_.num_layers; ++layer) {
    const auto of_layer = [&](const torch::Tensor& states) {
      return states.defined() ? states.narrow(0, layer * directions, directions) : states;
    };
    RecurrentState layer_state{of_layer(state.hidden), of_layer(state.cell)};
    if (masked) layer_state.state_mask = of_layer(state.state_mask);
    if (layer == 0) {
      output = run_layer(layer, input, layer_state);
    } else {
      const auto read = drop_below(layer, output, batch_sizes, state);
      const auto above = run_layer(layer, read, layer_state);
      output = options_.residual ? output + above : above;
    }
    hidden.push_back(layer_state.hidden);
    cell.push_back(layer_state.cell);
  }
  state.hidden = torch::cat(hidden);
  if (state.cell.defined()) state.cell = torch::cat(cell);
  return output;
}

/// Dropout between two layers: what a layer reads of the output of the layer below.
torch::Tensor RecurrentStackImpl::drop_below(int64_t layer, const torch::Tensor& output,
                                             const torch::Tensor& batch_sizes,
                                             RecurrentState& state) const {
  if (!is_training() || options_.dropout == 0) return output;
  if (!options_.variational_dropout) return at::dropout(output, options_.dropout, /*train=*/true);
  state.masks.resize(static_cast<size_t>(options_.num_layers));
  auto& mask = state.masks[static_cast<size_t>(layer)];  // [B, W]
  if (!mask.defined()) mask = draw_mask(state.hidden.size(1), output, options_.dropout);
  return output * (batch_sizes.defined()
                       ? mask.index_select(0, sequences_of(batch_sizes, mask.device()))
                       : mask.unsqueeze(1));
}

RecurrentCell RecurrentStackImpl::cell_of(int64_t layer, int64_t direction) const {
  const auto place = static_cast<size_t>(layer * options_.num_directions() + direction);
  const auto* weights = weights_.data() + 4 * place;
  RecurrentCell cell{options_.cell, weights[0], weights[1], weights[2], weights[3], {}, {}, {}, {}};
  if (!options_.cell_layer_norm) return cell;
  const bool lstm = options_.cell == Cell::kLstm;
  const auto* norms = norms_.data() + (lstm ? 4 : 2) * place;
  cell.gain_ih = norms[0];
  cell.gain_hh = norms[1];
  if (lstm) {
    cell.gain_c = norms[2];
    cell.bias_c = norms[3];
  }
  return cell;
}

/// As run_layers(), but for one layer over padded input.
torch::Tensor RecurrentStackImpl::run_kernels(const torch::Tensor& input,
                                              const torch::Tensor& lengths, int64_t layer,
                                              RecurrentState& state) const {
  const auto cell = cell_of(layer, 0);
  const auto reverse = options_.bidirectional ? cell_of(layer, 1) : RecurrentCell();
  // The parameters of both directions; those of a single one without a copy.
  const auto joined = [&](torch::Tensor RecurrentCell::*parameter) {
    return options_.bidirectional ? torch::cat({cell.*parameter, reverse.*parameter})
                                  : cell.*parameter;
  };
  const auto stacked = [&](torch::Tensor RecurrentCell::*parameter) {
    return options_.bidirectional ? torch::stack({cell.*parameter, reverse.*parameter})
                                  : (cell.*parameter).unsqueeze(0);
  };
  const auto gates =
      at::linear(input, joined(&RecurrentCell::weight_ih), joined(&RecurrentCell::bias_ih));
  const auto layer_output =
      gru_layer(gates, lengths, state.hidden, stacked(&RecurrentCell::weight_hh),
                stacked(&RecurrentCell::bias_hh));
  state.hidden = layer_output.last;
  return layer_output.output;
}

/// As run_layers(), but for one layer and step by step.
torch::Tensor RecurrentStackImpl::run_steps(const torch::Tensor& input,
                                            const torch::Tensor& batch_sizes, int64_t layer,
                                            RecurrentState& state) const {
  std::vector<torch::Tensor> outputs, hidden, cells;
  for (int64_t direction = 0; direction < options_.num_directions(); ++direction) {
    const auto cell = cell_of(layer, direction);
    const auto inputs = cell_input(cell, input);
    auto steps = batch_sizes.defined() ? inputs.split_with_sizes(sizes_of(batch_sizes), 0)
                                       : inputs.unbind(1);  // [b_t, gates · H], b_t ≤ B
    const auto reverse_if_backward = [&](std::vector<torch::Tensor>& tensors) {
      if (direction == 1) std::reverse(tensors.begin(), tensors.end());
    };
    reverse_if_backward(steps);
    auto h = state.hidden[direction];  // [B, H]
    auto c = state.cell.defined() ? state.cell[direction] : torch::Tensor();
    const auto mask = state.state_mask.defined() ? state.state_mask[direction] : torch::Tensor();
    std::vector<torch::Tensor> states;
    for (const auto& step : steps) {
      const int64_t rows = step.size(0);
      const auto first = [&](const torch::Tensor& all) {
        return all.defined() ? all.narrow(0, 0, rows) : all;
      };
      // The other sequences have ended or have yet to begin.
      const auto with_others = [&](const torch::Tensor& next, const torch::Tensor& all) {
        return all.defined() ? torch::cat({next, all.narrow(0, rows, all.size(0) - rows)}) : all;
      };
      auto h_t = first(h), c_t = first(c);  // [b_t, H]; h_{t−1} and c_{t−1} before the step
      step_cell(cell, step, first(mask), h_t, c_t);
      states.push_back(h_t);
      h = with_others(h_t, h);
      c = with_others(c_t, c);
    }
    reverse_if_backward(states);
    outputs.push_back(batch_sizes.defined() ? torch::cat(states) : torch::stack(states, 1));
    hidden.push_back(h);
    cells.push_back(c);
  }
  state.hidden = torch::stack(hidden);
  if (state.cell.defined()) state.cell = torch::stack(cells);
  return torch::cat(outputs, -1);
}

torch::Tensor RecurrentStackImpl::run_layers(const torch::Tensor& input,
                                             const torch::Tensor& batch_sizes, int64_t first,
                                             int64_t count, RecurrentState& state) {
  constexpr bool kBiases = true;
  constexpr bool kBatchFirst = true;
  const auto weights = weights_of(first, count);
  // Dropout acts only between layers, but cuDNN draws a seed even for a single layer.
  const double dropout = count > 1 ? options_.dropout : 0.0;
  torch::Tensor output;
  if (options_.cell == Cell::kGru) {
    std::tie(output, state.hidden) =
        batch_sizes.defined() ? at::gru(input, batch_sizes, state.hidden, weights, kBiases, count,
                                        dropout, is_training(), options_.bidirectional)
                              : at::gru(input, state.hidden, weights, kBiases, count, dropout,
                                        is_training(), options_.bidirectional, kBatchFirst);
  } else {
    std::tie(output, state.hidden, state.cell) =
        batch_sizes.defined()
            ? at::lstm(input, batch_sizes, {state.hidden, state.cell}, weights, kBiases, count,
                       dropout, is_training(), options_.bidirectional)
            : at::lstm(input, {state.hidden, state.cell}, weights, kBiases, count, dropout,
                       is_training(), options_.bidirectional, kBatchFirst);
  }
  return output;
}

torch::Tensor RecurrentStackImpl::forward(const torch::Tensor& input, RecurrentState& state) {
  return run(input, {}, state);
}

torch::Tensor RecurrentStackImpl::forward_padded(const torch::Tensor& input,
                                                 const torch::Tensor& lengths,
                                                 RecurrentState& state) {
  if (runs_as_kernels(input)) {
    return run(input, {{}, lengths.to(input.device(), /*non_blocking=*/true)}, state);
  }
  // Packing needs the longest sequence first; the caller's order is restored afterwards.
  const auto [sorted, sorted_order] = lengths.sort(/*stable=*/true, /*dim=*/0, /*descending=*/true);
  const auto order = sorted_order.to(input.device(), /*non_blocking=*/true);
  const auto back = sorted_order.argsort().to(input.device(), /*non_blocking=*/true);
  const auto reorder = [&](torch::Tensor& states, const torch::Tensor& rows) {
    if (states.defined()) states = states.index_select(1, rows);
  };
  reorder(state.hidden, order);
  reorder(state.cell, order);
  constexpr bool kBatchFirst = true;
  const auto [data, batch_sizes] =
      at::_pack_padded_sequence(input.index_select(0, order), sorted, kBatchFirst);
  const auto output = run(data, {batch_sizes, {}}, state);
  reorder(state.hidden, back);
  reorder(state.cell, back);
  constexpr double kPaddingValue = 0.0;
  const auto padded = std::get<0>(
      at::_pad_packed_sequence(output, batch_sizes, kBatchFirst, kPaddingValue, input.size(1)));
  return padded.index_select(0, back);
}

}  // namespace nmt
