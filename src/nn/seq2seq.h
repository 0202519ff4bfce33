#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "nn/attention.h"
#include "nn/encoder.h"
#include "nn/generator.h"
#include "nn/recurrent.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// What the encoder hands to the decoder.
struct EncodedSource {
  AttentionMemory memory;
  RecurrentState final_state;  // [L, B, H]
};

/// All that a decoding step needs of the steps before it. Rows are hypotheses: N = B·K, where the
/// K rows of one source sentence stand together (K is 1 in training).
struct DecoderState {
  RecurrentState recurrent;   // [L, N, H]
  torch::Tensor attentional;  // [N, H]  h̃_{t−1}
};

struct DecoderStep {
  torch::Tensor attentional;  // [N, H]  h̃_t
  torch::Tensor attention;    // [N, S]  a_t
};

/// The translation model of kh-kim/simple-nmt with a GRU: encoder, decoder with input feeding,
/// general attention (Luong, Pham and Manning 2015; input feeding is their section 3.3).
///
///   h_src, s_0 = encoder(emb_src(x))
///   s_t        = GRU([emb_dec(y_{t−1}) ; h̃_{t−1}], s_{t−1})       h̃_0 = 0, y_0 = BOS
///   c_t, a_t   = attention(h_t, h_src)                              h_t: top layer of s_t
///   h̃_t        = tanh(W_c [h_t ; c_t] + b_c)                        equation 5
///   log p(y_t) = log_softmax(W_o h̃_t + b_o)                         equation 6
///
/// Dropout (while training): both embeddings, between recurrent layers, h̃_t.
///
/// Parameter names are the reference's state_dict and part of the file format: emb_src, emb_dec,
/// encoder.rnn, decoder.rnn, attn.linear, concat, generator.output.
class Seq2SeqImpl : public torch::nn::Module {
 public:
  explicit Seq2SeqImpl(const Seq2SeqOptions& options);

  /// source [B, S] token ids, lengths [B] int64 on the CPU, at least 1.
  EncodedSource encode(const torch::Tensor& source, const torch::Tensor& lengths);

  /// The state before the first token.
  DecoderState start(const EncodedSource& encoded) const;

  /// One step: previous tokens [N] -> h̃_t and attention; `state` moves on.
  DecoderStep step(const torch::Tensor& tokens, DecoderState& state, const AttentionMemory& memory);

  /// Teacher forcing: target_input [B, T] (BOS, y_1 … y_n) -> h̃ [B, T, H].
  torch::Tensor forward(const torch::Tensor& source, const torch::Tensor& lengths,
                        const torch::Tensor& target_input);

  /// h̃ [..., H] -> natural-log probabilities [..., V]
  torch::Tensor log_probabilities(const torch::Tensor& attentional);

  const Seq2SeqOptions& options() const { return options_; }

 private:
  DecoderStep step_embedded(const torch::Tensor& embedded, DecoderState& state,
                            const AttentionMemory& memory);
  AttentionOutput attend(const torch::Tensor& decoder_states, const AttentionMemory& memory,
                         torch::Tensor& attentional);

  Seq2SeqOptions options_;
  torch::nn::Embedding emb_src_{nullptr};
  torch::nn::Embedding emb_dec_{nullptr};
  Encoder encoder_{nullptr};
  RecurrentStack decoder_rnn_{nullptr};
  GeneralAttention attn_{nullptr};
  torch::nn::Linear concat_{nullptr};
  Generator generator_{nullptr};
  torch::nn::Dropout dropout_{nullptr};
};
TORCH_MODULE(Seq2Seq);

/// The model's parameters, each once: tied ones have several names.
std::vector<torch::Tensor> unique_parameters(const torch::nn::Module& model);

int64_t count_parameters(const torch::nn::Module& model);

}  // namespace nmt
