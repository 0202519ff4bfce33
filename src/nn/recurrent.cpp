#include "nn/recurrent.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include <cmath>
#include <string>
#include <tuple>

namespace nmt {

RecurrentOptions recurrent_options(const ModelConfig& model, int64_t input_size) {
  return {model.cell, input_size, model.hidden_size, model.num_layers, model.dropout};
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

torch::Tensor RecurrentStackImpl::forward(const torch::Tensor& input, RecurrentState& state) {
  constexpr bool kBiases = true;
  constexpr bool kBatchFirst = true;
  torch::Tensor output;
  if (options_.cell == Cell::kGru) {
    std::tie(output, state.hidden) =
        at::gru(input, state.hidden, weights_, kBiases, options_.num_layers, options_.dropout,
                is_training(), options_.bidirectional, kBatchFirst);
  } else {
    std::tie(output, state.hidden, state.cell) =
        at::lstm(input, {state.hidden, state.cell}, weights_, kBiases, options_.num_layers,
                 options_.dropout, is_training(), options_.bidirectional, kBatchFirst);
  }
  return output;
}

torch::Tensor RecurrentStackImpl::forward_padded(const torch::Tensor& input,
                                                 const torch::Tensor& lengths,
                                                 RecurrentState& state) {
  constexpr bool kBiases = true;
  constexpr bool kBatchFirst = true;
  const auto [data, batch_sizes] = at::_pack_padded_sequence(input, lengths, kBatchFirst);
  torch::Tensor output;
  if (options_.cell == Cell::kGru) {
    std::tie(output, state.hidden) =
        at::gru(data, batch_sizes, state.hidden, weights_, kBiases, options_.num_layers,
                options_.dropout, is_training(), options_.bidirectional);
  } else {
    std::tie(output, state.hidden, state.cell) =
        at::lstm(data, batch_sizes, {state.hidden, state.cell}, weights_, kBiases,
                 options_.num_layers, options_.dropout, is_training(), options_.bidirectional);
  }
  constexpr double kPaddingValue = 0.0;
  return std::get<0>(
      at::_pad_packed_sequence(output, batch_sizes, kBatchFirst, kPaddingValue, input.size(1)));
}

}  // namespace nmt
