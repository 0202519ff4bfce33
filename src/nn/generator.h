#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

namespace nmt {

/// An affine map whose weight may belong to another module: tied embeddings (Press and Wolf 2017).
class OutputLayerImpl : public torch::nn::Module {
 public:
  /// weight [V, H]: shared with its owner, or newly initialised if undefined.
  OutputLayerImpl(int64_t hidden_size, int64_t vocabulary_size, torch::Tensor weight);

  torch::Tensor forward(const torch::Tensor& input);

 private:
  torch::Tensor weight_;  // [V, H]
  torch::Tensor bias_;    // [V]
};
TORCH_MODULE(OutputLayer);

/// log p(y_t | y_<t, x) = log_softmax(W_o h̃_t + b_o).
class GeneratorImpl : public torch::nn::Module {
 public:
  GeneratorImpl(int64_t hidden_size, int64_t vocabulary_size, const torch::Tensor& tied_weight);

  /// attentional states h̃ [..., H] -> natural-log probabilities [..., V]
  torch::Tensor forward(const torch::Tensor& attentional_states);

 private:
  OutputLayer output_{nullptr};
};
TORCH_MODULE(Generator);

}  // namespace nmt
