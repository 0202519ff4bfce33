#include "nn/recurrent.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include <cmath>
#include <string>
#include <tuple>

#include "config/dropout_rates.h"
#include "config/layers.h"
#include "nn/dropout.h"

namespace nmt {

namespace {

/// The sequence of each packed row.
torch::Tensor sequences_of(const torch::Tensor& batch_sizes, at::Device device) {
  std::vector<torch::Tensor> steps;
  for (int64_t step = 0; step < batch_sizes.size(0); ++step) {
    steps.push_back(torch::arange(batch_sizes[step].item<int64_t>(), device));
  }
  return torch::cat(steps);
}

}  // namespace

RecurrentOptions recurrent_options(const ModelConfig& model, int64_t input_size) {
  RecurrentOptions options{model.cell, input_size, model.hidden_size, num_decoder_layers(model),
                           dropout_rates(model).recurrent};
  options.variational_dropout = model.variational_dropout;
  options.residual = model.residual;
  return options;
}

RecurrentStackImpl::RecurrentStackImpl(const RecurrentOptions& options) : options_(options) {
  const int64_t gates = options.cell == Cell::kGru ? 3 : 4;
  const int64_t rows = gates * options.hidden_size;
  const int64_t directions = options.bidirectional ? 2 : 1;
  const double bound = 1.0 / std::sqrt(static_cast<double>(options.hidden_size));
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
    }
  }
}

RecurrentState RecurrentStackImpl::zero_state(int64_t batch_size) const {
  const int64_t directions = options_.bidirectional ? 2 : 1;
  const auto zeros =
      torch::zeros({options_.num_layers * directions, batch_size, options_.hidden_size},
                   weights_[0].options().requires_grad(false));
  return {zeros, options_.cell == Cell::kLstm ? zeros.clone() : torch::Tensor()};
}

/// input [B, T, I], or packed [rows, I] with its batch sizes -> output of the top layer, likewise.
torch::Tensor RecurrentStackImpl::run(const torch::Tensor& input, const torch::Tensor& batch_sizes,
                                      RecurrentState& state) {
  if (!options_.residual && !options_.variational_dropout) {
    return run_layers(input, batch_sizes, 0, options_.num_layers, state);
  }
  const int64_t directions = options_.bidirectional ? 2 : 1;
  std::vector<torch::Tensor> hidden, cell;
  torch::Tensor output;
  for (int64_t layer = 0; layer < options_.num_layers; ++layer) {
    const auto own = [&](const torch::Tensor& states) {
      return states.defined() ? states.narrow(0, layer * directions, directions) : states;
    };
    RecurrentState of_layer{own(state.hidden), own(state.cell)};
    if (layer == 0) {
      output = run_layers(input, batch_sizes, layer, 1, of_layer);
    } else {
      const auto above = run_layers(drop_below(layer, output, batch_sizes, state), batch_sizes,
                                    layer, 1, of_layer);
      output = options_.residual ? output + above : above;
    }
    hidden.push_back(of_layer.hidden);
    cell.push_back(of_layer.cell);
  }
  state.hidden = torch::cat(hidden);
  if (state.cell.defined()) state.cell = torch::cat(cell);
  return output;
}

/// What a layer reads of the output of the layer below.
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

torch::Tensor RecurrentStackImpl::run_layers(const torch::Tensor& input,
                                             const torch::Tensor& batch_sizes, int64_t first,
                                             int64_t count, RecurrentState& state) {
  constexpr bool kBiases = true;
  constexpr bool kBatchFirst = true;
  const int64_t tensors = 4 * (options_.bidirectional ? 2 : 1);  // of a layer
  const auto weights = at::TensorList(weights_).slice(static_cast<size_t>(first * tensors),
                                                      static_cast<size_t>(count * tensors));
  torch::Tensor output;
  if (options_.cell == Cell::kGru) {
    std::tie(output, state.hidden) =
        batch_sizes.defined()
            ? at::gru(input, batch_sizes, state.hidden, weights, kBiases, count, options_.dropout,
                      is_training(), options_.bidirectional)
            : at::gru(input, state.hidden, weights, kBiases, count, options_.dropout, is_training(),
                      options_.bidirectional, kBatchFirst);
  } else {
    std::tie(output, state.hidden, state.cell) =
        batch_sizes.defined()
            ? at::lstm(input, batch_sizes, {state.hidden, state.cell}, weights, kBiases, count,
                       options_.dropout, is_training(), options_.bidirectional)
            : at::lstm(input, {state.hidden, state.cell}, weights, kBiases, count, options_.dropout,
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
  constexpr bool kBatchFirst = true;
  const auto [data, batch_sizes] = at::_pack_padded_sequence(input, lengths, kBatchFirst);
  const auto output = run(data, batch_sizes, state);
  constexpr double kPaddingValue = 0.0;
  return std::get<0>(
      at::_pad_packed_sequence(output, batch_sizes, kBatchFirst, kPaddingValue, input.size(1)));
}

}  // namespace nmt
