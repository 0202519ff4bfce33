#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

namespace nmt {

/// An affine map whose weight may belong to another module: tied embeddings (Press and Wolf 2017).
class OutputLayerImpl : public torch::nn::Module {
 public:
  /// weight [V, H]: shared with its owner, or newly initialized if undefined.
  OutputLayerImpl(int64_t hidden_size, int64_t vocabulary_size, torch::Tensor weight);

  torch::Tensor forward(const torch::Tensor& input);

 private:
  torch::Tensor weight_;  // [V, H]
  torch::Tensor bias_;    // [V]
};
TORCH_MODULE(OutputLayer);

/// log p(y_t | y_<t, x) = log_softmax(W_o h̃_t + b_o), or with copying (the pointer-generator of
/// See, Liu and Manning 2017, section 2.2):
///
///   γ_t    = w_γ · h̃_t + b_γ
///   p(y_t) = σ(γ_t) softmax(W_o h̃_t + b_o)(y_t) + σ(−γ_t) Σ_{i: x_i = y_t} a_t,i    equation 9
///
/// σ(γ) is their p_gen, computed from h̃_t instead of c_t, h_t and the embedding (equation 8).
/// Source and target share a subword vocabulary that can spell any word, so, unlike in the paper,
/// it is not extended by source words.
class GeneratorImpl : public torch::nn::Module {
 public:
  GeneratorImpl(int64_t hidden_size, int64_t vocabulary_size, const torch::Tensor& tied_weight,
                bool copies);

  /// W_o h̃ + b_o: h̃ [..., H] -> [..., V]
  torch::Tensor logits(const torch::Tensor& attentional_states) {
    return output_(attentional_states);
  }

  /// attentional states h̃ [..., H] -> natural-log probabilities [..., V]. If the model copies, it
  /// also needs their attention [..., S] and the source tokens, int64 of shape [..., S] or one that
  /// expands to it; otherwise both are unused.
  torch::Tensor forward(const torch::Tensor& attentional_states, const torch::Tensor& attention,
                        const torch::Tensor& source);

 private:
  OutputLayer output_{nullptr};
  torch::nn::Linear copy_{nullptr};  // w_γ, b_γ; null: nothing is copied
};
TORCH_MODULE(Generator);

}  // namespace nmt
