#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "nn/attention.h"
#include "nn/generator.h"
#include "nn/recurrent.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// What the encoder hands to the decoder. A model fills what it needs.
struct EncodedSource {
  std::vector<AttentionMemory> memory;  // recurrent: one; Transformer: one for each decoder layer
  RecurrentState final_state;           // [L, B, H]; recurrent
};

/// All that a decoding step needs of the steps before it. Rows are hypotheses: N = B·K, where the
/// K rows of one source sentence stand together (K is 1 in training). A model fills what it needs.
struct DecoderState {
  RecurrentState recurrent;           // [L, N, H]; recurrent
  torch::Tensor attentional;          // [N, H]  h̃_{t−1}; recurrent
  std::vector<AttentionMemory> seen;  // of the target, in each layer: [N, t, H]; Transformer
  int64_t position = 0;               // t, from 0; Transformer

  /// The rows [N'] alone, in that order.
  void select(const torch::Tensor& rows);
};

struct DecoderStep {
  torch::Tensor attentional;  // [N, H]  h̃_t: what the output layer sees
  torch::Tensor attention;    // [N, S]  a_t; undefined where there is none
};

/// A model that gives each target token a probability from the source and the tokens before it:
///
///   log p(y_t | y_<t, x) = log_softmax(W_o h̃_t + b_o)
///
/// What h̃_t is, its kinds say: recurrent_seq2seq.h, transformer.h, language_model.h. Training,
/// search and files know this interface alone.
class Seq2SeqImpl : public torch::nn::Module {
 public:
  /// source [B, S] token ids, lengths [B] int64 on the CPU, at least 1.
  virtual EncodedSource encode(const torch::Tensor& source, const torch::Tensor& lengths) = 0;

  /// The state before the first token.
  virtual DecoderState start(const EncodedSource& encoded) const = 0;

  /// One step: previous tokens [N] -> h̃_t and attention; `state` moves on. `memory` is what
  /// encode gave, of the sentences that are still there.
  virtual DecoderStep step(const torch::Tensor& tokens, DecoderState& state,
                           const std::vector<AttentionMemory>& memory) = 0;

  /// Teacher forcing: target_input [B, T] (BOS, y_1 … y_n) -> h̃ [B, T, H].
  virtual torch::Tensor forward(const torch::Tensor& source, const torch::Tensor& lengths,
                                const torch::Tensor& target_input) = 0;

  /// h̃ [..., H] -> natural-log probabilities [..., V]
  torch::Tensor log_probabilities(const torch::Tensor& attentional);

  const Seq2SeqOptions& options() const { return options_; }

 protected:
  explicit Seq2SeqImpl(const Seq2SeqOptions& options);

  /// Called by the kinds' constructors at their end. tied_weight [V, H], or undefined.
  void add_generator(const torch::Tensor& tied_weight);

 private:
  Seq2SeqOptions options_;
  Generator generator_{nullptr};
};
TORCH_MODULE(Seq2Seq);

/// The model of these options, with initial weights.
Seq2Seq make_seq2seq(const Seq2SeqOptions& options);

/// The model's parameters, each once: tied ones have several names.
std::vector<torch::Tensor> unique_parameters(const torch::nn::Module& model);

int64_t count_parameters(const torch::nn::Module& model);

}  // namespace nmt
