#include "nn/generator.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include <cmath>

namespace nmt {

OutputLayerImpl::OutputLayerImpl(int64_t hidden_size, int64_t vocabulary_size,
                                 torch::Tensor weight) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(hidden_size));
  if (!weight.defined()) {
    weight = torch::empty({vocabulary_size, hidden_size});
    torch::nn::init::uniform_(weight, -bound, bound);
  }
  weight_ = register_parameter("weight", weight);
  bias_ = register_parameter("bias", torch::zeros({vocabulary_size}));
}

torch::Tensor OutputLayerImpl::forward(const torch::Tensor& input) {
  return at::linear(input, weight_, bias_);
}

GeneratorImpl::GeneratorImpl(int64_t hidden_size, int64_t vocabulary_size,
                             const torch::Tensor& tied_weight)
    : output_(register_module("output", OutputLayer(hidden_size, vocabulary_size, tied_weight))) {}

torch::Tensor GeneratorImpl::forward(const torch::Tensor& attentional_states) {
  return torch::log_softmax(output_(attentional_states), -1);
}

}  // namespace nmt
