#include "nn/first_state.h"

#include <ATen/ATen.h>

#include <string>

#include "config/layers.h"

namespace nmt {

FirstStateImpl::FirstStateImpl(const ModelConfig& model)
    : kind_(model.decoder_init), num_layers_(num_decoder_layers(model)) {
  if (!has_bridge(kind_)) return;
  for (int64_t layer = 0; layer < num_layers_; ++layer) {
    layers_.push_back(register_module("l" + std::to_string(layer),
                                      torch::nn::Linear(model.hidden_size, model.hidden_size)));
  }
}

RecurrentState FirstStateImpl::forward(const EncodedStates& encoded, const torch::Tensor& lengths) {
  RecurrentState last = {corresponding(encoded.final_state.hidden),
                         corresponding(encoded.final_state.cell)};
  const auto zeros = [](const torch::Tensor& state) {
    return state.defined() ? torch::zeros_like(state) : state;
  };
  switch (kind_) {
    case DecoderInit::kFinal:
      return last;
    case DecoderInit::kBridge:
      return {through_layers(last.hidden.unbind(0)), last.cell};
    case DecoderInit::kMean: {
      // States are 0 at padding, so the sum is over the words.
      const auto words = lengths.to(encoded.states.options(), /*non_blocking=*/true);  // [B]
      const auto mean = encoded.states.sum(1) / words.unsqueeze(1);                    // [B, H]
      return {through_layers(std::vector<torch::Tensor>(layers_.size(), mean)), zeros(last.cell)};
    }
    case DecoderInit::kZero:
      break;
  }
  return {zeros(last.hidden), zeros(last.cell)};
}

torch::Tensor FirstStateImpl::corresponding(const torch::Tensor& states) const {
  if (!states.defined() || states.size(0) == num_layers_) return states;
  std::vector<torch::Tensor> chosen;
  for (int64_t l = 0; l < num_layers_; ++l) {
    chosen.push_back(states[corresponding_layer(l, states.size(0), num_layers_)]);
  }
  return torch::stack(chosen);
}

torch::Tensor FirstStateImpl::through_layers(const std::vector<torch::Tensor>& inputs) {
  std::vector<torch::Tensor> states;
  for (size_t l = 0; l < layers_.size(); ++l) {
    states.push_back(torch::tanh(layers_[l](inputs[l])));
  }
  return torch::stack(states);
}

}  // namespace nmt
