#pragma once

#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/normalization.h>

#include <vector>

#include "nn/seq2seq.h"
#include "nn/transformer_layer.h"

namespace nmt {

/// The Transformer (Vaswani et al. 2017, section 3): no recurrence; all positions of a sentence are
/// computed at once.
///
///   x_0 = √H emb(token) + PE(position)                       sections 3.4 and 3.5
///   source:  layers of self-attention and feed-forward       -> h_src
///   target:  layers of causal self-attention, attention to h_src, feed-forward
///                                                            -> h̃_t
///
/// In decoding, keys and values of earlier positions are cached
/// (DecoderState::self_attention_cache), so that a step computes one position. Dropout: whole
/// tokens, x_0, each sublayer's output, whole layers (Fan, Grave and Joulin 2020). With pre-norm
/// h_src and h̃_t are normalized once more at the end (Xiong et al. 2020). The attention shown is
/// the mean over heads in the last layer.
class TransformerImpl : public Seq2SeqImpl {
 public:
  explicit TransformerImpl(const Seq2SeqOptions& options);

  EncodedSource encode(const torch::Tensor& source, const torch::Tensor& lengths) override;
  DecoderState start(const EncodedSource& encoded) const override;
  DecoderStep step(const torch::Tensor& tokens, DecoderState& state,
                   const std::vector<AttentionMemory>& memory) override;
  DecoderSteps force(const torch::Tensor& source, const torch::Tensor& lengths,
                     const torch::Tensor& target_input) override;

 private:
  torch::Tensor embed(torch::nn::Embedding& embedding, const torch::Tensor& tokens,
                      int64_t position);
  DecoderStep advance(const torch::Tensor& tokens, DecoderState& state,
                      const std::vector<AttentionMemory>& memory);
  bool skips_layer() const;

  std::vector<TransformerLayer> encoder_;
  std::vector<TransformerLayer> decoder_;
  torch::nn::LayerNorm norm_src_{nullptr};  // of the last outputs with pre-norm
  torch::nn::LayerNorm norm_dec_{nullptr};
  torch::nn::Dropout dropout_{nullptr};
};

/// PE(p, 2i) = sin(p / 10000^{2i/H}), PE(p, 2i+1) = cos(p / 10000^{2i/H}) for `count` positions
/// from `first` on (Vaswani et al. 2017, section 3.5): [count, H] float32. H is even.
torch::Tensor sinusoidal_positions(int64_t first, int64_t count, int64_t size,
                                   const torch::Device& device = torch::kCPU);

}  // namespace nmt
