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
                             const torch::Tensor& tied_weight, bool copies)
    : output_(register_module("output", OutputLayer(hidden_size, vocabulary_size, tied_weight))) {
  if (copies) copy_ = register_module("copy", torch::nn::Linear(hidden_size, 1));
}

torch::Tensor GeneratorImpl::forward(const torch::Tensor& attentional_states,
                                     const torch::Tensor& attention, const torch::Tensor& source) {
  const auto scores = logits(attentional_states);  // [..., V]
  // In float32 at least: bfloat16 would round log-probabilities to two digits.
  auto generated =
      torch::log_softmax(scores, -1, at::promote_types(scores.scalar_type(), torch::kFloat));
  if (!copy_) return generated;
  TORCH_CHECK(attention.defined() && source.defined(), "copying needs attention and source tokens");
  const auto gate = copy_(attentional_states).to(generated.dtype());             // [..., 1]
  const auto pointed = attention.to(generated.dtype()) * torch::sigmoid(-gate);  // [..., S]
  const auto copied =
      torch::zeros_like(generated).scatter_add(-1, source.expand_as(attention), pointed);
  constexpr double kMin = 1e-30;  // 0 has no logarithm
  return at::logaddexp(at::log_sigmoid(gate) + generated, copied.clamp_min(kMin).log());
}

}  // namespace nmt
