#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include "config/dropout_rates.h"
#include "nn/first_state.h"
#include "nn/seq2seq.h"

namespace nmt {

/// The translation model of kh-kim/simple-nmt with a GRU: encoder, decoder with input feeding,
/// general attention (Luong, Pham and Manning 2015; input feeding is their section 3.3).
///
///   h_src, s_0 = encoder(emb_src(x))                               other s_0: nn/first_state.h
///   s_t        = GRU([emb_dec(y_{t−1}) ; h̃_{t−1}], s_{t−1})       h̃_0 = 0, y_0 = BOS
///   c_t, a_t   = attention(h_t, h_src)                              h_t: output of the top layer
///   h̃_t        = tanh(W_c [h_t ; c_t] + b_c)                        equation 5
///   log p(y_t) = log_softmax(W_o h̃_t + b_o)                         equation 6
///
/// With coverage, attention also reads the sum of a_1 … a_{t−1} (nn/attention.h). Without
/// attention, h̃_t = tanh(W_c h_t + b_c). With layer_norm, h_src and h_t are normalized (Ba, Kiros
/// and Hinton 2016). Dropout (while training): whole tokens, both embeddings, between recurrent
/// layers, h̃_t (nn/dropout.h), h_{t−1} within a layer (nn/recurrent.h).
///
/// Parameter names are part of the file format: emb_src, emb_dec, encoder.rnn, decoder.rnn,
/// attn.linear, concat and generator.output, as in simple-nmt's state_dict; and bridge, norm_src,
/// norm_dec.
class RecurrentSeq2SeqImpl : public Seq2SeqImpl {
 public:
  explicit RecurrentSeq2SeqImpl(const Seq2SeqOptions& options);

  EncodedSource encode(const torch::Tensor& source, const torch::Tensor& lengths) override;
  DecoderState start(const EncodedSource& encoded) const override;
  DecoderStep step(const torch::Tensor& tokens, DecoderState& state,
                   const std::vector<AttentionMemory>& memory) override;
  DecoderSteps force(const torch::Tensor& source, const torch::Tensor& lengths,
                     const torch::Tensor& target_input) override;

 private:
  /// tokens [N, T] -> [N, T, E]. `dropout_mask` [N, E] as in drop().
  torch::Tensor embed(torch::nn::Embedding& embedding, const torch::Tensor& tokens,
                      torch::Tensor& dropout_mask);
  /// One step: embedded [N, E] -> h̃_t [N, H], a_t [N, S].
  DecoderStep step_embedded(const torch::Tensor& embedded, DecoderState& state,
                            const AttentionMemory& memory);
  torch::Tensor decode(const torch::Tensor& input, RecurrentState& state);
  /// Whether nn/cuda decodes with attention to `states` [B, S, H].
  bool decodes_with_kernels(const torch::Tensor& states) const;
  /// step_embedded() of translation, with the kernels of nn/cuda.
  DecoderStep step_with_kernels(const torch::Tensor& embedded, DecoderState& state,
                                const AttentionMemory& memory) const;
  /// force() after the embedding [B, T, E], with the kernels of nn/cuda.
  DecoderSteps force_with_kernels(const EncodedSource& encoded, const torch::Tensor& embedded);
  torch::Tensor attention_weight() const;
  /// h_t [B, Q, H] -> c_t, a_t and attentional_hidden h̃_t [B, Q, H]. `dropout_mask` [B, H] as in
  /// drop().
  AttentionOutput attend(const torch::Tensor& decoder_states, const AttentionMemory& memory,
                         torch::Tensor& attentional_hidden, torch::Tensor& dropout_mask);

  Encoder encoder_{nullptr};
  RecurrentStack decoder_rnn_{nullptr};
  Attention attn_{nullptr};
  FirstState first_state_{nullptr};
  torch::nn::Linear concat_{nullptr};
  torch::nn::LayerNorm norm_src_{nullptr};  // null: nothing is normalized
  torch::nn::LayerNorm norm_dec_{nullptr};
  DropoutRates dropout_;
};

}  // namespace nmt
