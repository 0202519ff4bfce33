#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/pimpl.h>

#include "nn/attention.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// Residual connection and normalization of a sublayer f (Vaswani et al. 2017, 3.1; Xiong et al.
/// 2020):
///
///   post-norm: x ← norm(x + dropout(f(x)))        pre-norm: x ← x + dropout(f(norm(x)))
class ResidualImpl : public torch::nn::Module {
 public:
  ResidualImpl(int64_t size, double dropout, bool pre_norm);

  /// x [N, T, H]; f maps [N, T, H] to [N, T, H].
  template <typename Sublayer>
  torch::Tensor forward(const torch::Tensor& x, Sublayer&& f) {
    return pre_norm_ ? x + dropout_(f(norm_(x))) : norm_(x + dropout_(f(x)));
  }

 private:
  bool pre_norm_;
  torch::nn::LayerNorm norm_{nullptr};
  torch::nn::Dropout dropout_{nullptr};
};
TORCH_MODULE(Residual);

/// One layer of the encoder, or with `has_cross_attention` of the decoder: multi-head
/// self-attention, multi-head attention to the source, and max(0, x W_1 + b_1) W_2 + b_2
/// (section 3.3; the weights of `widen` and `narrow` are W_1ᵀ and W_2ᵀ).
class TransformerLayerImpl : public torch::nn::Module {
 public:
  TransformerLayerImpl(const Seq2SeqOptions& options, bool has_cross_attention);

  /// For an encoder layer: x [B, S, H], padding [B, 1, S] -> [B, S, H].
  torch::Tensor encode(const torch::Tensor& x, const torch::Tensor& padding);

  /// This layer's keys and values of the source h_src [B, S, H].
  AttentionMemory prepare_source(const torch::Tensor& states, const torch::Tensor& padding);

  struct Output {
    torch::Tensor states;   // [N, T, H]
    torch::Tensor weights;  // [N, T, S]  of the attention to the source
  };

  /// For a decoder layer: x [N, T, H] are the positions that follow `cache`. Appends their keys and
  /// values to `cache` first, because each position also attends to itself.
  Output decode(const torch::Tensor& x, AttentionMemory& cache, const AttentionMemory& source);

 private:
  torch::Tensor feed_forward(const torch::Tensor& x);

  Attention self_attention_{nullptr};
  Attention source_attention_{nullptr};
  torch::nn::Linear widen_{nullptr};
  torch::nn::Linear narrow_{nullptr};
  Residual around_self_{nullptr};
  Residual around_source_{nullptr};
  Residual around_feed_forward_{nullptr};
};
TORCH_MODULE(TransformerLayer);

}  // namespace nmt
