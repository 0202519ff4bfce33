#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "nn/attention.h"
#include "nn/generator.h"
#include "nn/loss.h"
#include "nn/recurrent.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// Output of the encoder. Each model fills the fields that it uses.
struct EncodedSource {
  std::vector<AttentionMemory> memory;  // recurrent: one; Transformer: one for each decoder layer
  RecurrentState first_state;           // [L, B, H] of the decoder; recurrent
  torch::Tensor states;                 // [B, S, H]  h_src, for analysis; not a language model
};

/// State of the decoder between steps. Rows are hypotheses: N = B·K, with the K rows of one source
/// sentence adjacent (K is 1 in training). Each model fills the fields that it uses.
struct DecoderState {
  RecurrentState recurrent;          // [L, N, H]; recurrent
  torch::Tensor attentional_hidden;  // [N, H]  h̃_{t−1}; recurrent
  torch::Tensor coverage;            // [N, S]  C_t; recurrent, with coverage
  torch::Tensor input_mask;          // [N, E]  of variational dropout of the embedding
  torch::Tensor output_mask;         // [N, H]  likewise of h̃; the Transformer uses neither
  std::vector<AttentionMemory>
      self_attention_cache;  // of the target, in each layer: [N, t, H]; Transformer
  int64_t position = 0;      // steps so far; unused by a language model

  /// Selects the rows [N'], in that order.
  void select(const torch::Tensor& rows);
};

struct DecoderStep {
  torch::Tensor attentional_hidden;  // [N, H]  h̃_t: input of the output layer
  torch::Tensor attention;           // [N, S]  a_t; undefined without attention
  torch::Tensor hidden;              // [N, H]  h_t, for analysis; recurrent
};

/// All steps of teacher forcing.
struct DecoderSteps {
  torch::Tensor attentional_hidden;  // [B, T, H]  h̃: input of the output layer
  torch::Tensor attention;           // [B, T, S]  undefined without attention
};

/// A model that gives each target token a probability from the source and the tokens before it:
///
///   log p(y_t | y_<t, x) = log_softmax(W_o h̃_t + b_o)                     nn/generator.h
///
/// Architectures (recurrent_seq2seq.h, transformer.h, language_model.h) define h̃_t. Training,
/// search and files use only this interface.
class Seq2SeqImpl : public torch::nn::Module {
 public:
  /// source [B, S] token ids, lengths [B] int64 on the CPU, at least 1.
  virtual EncodedSource encode(const torch::Tensor& source, const torch::Tensor& lengths) = 0;

  /// The state before the first token.
  virtual DecoderState start(const EncodedSource& encoded) const = 0;

  /// One step: previous tokens [N] -> h̃_t and attention; advances `state`. `memory` is from encode,
  /// restricted to the remaining sentences.
  virtual DecoderStep step(const torch::Tensor& tokens, DecoderState& state,
                           const std::vector<AttentionMemory>& memory) = 0;

  /// Teacher forcing of target_input [B, T]: BOS, y_1 … y_n.
  virtual DecoderSteps force(const torch::Tensor& source, const torch::Tensor& lengths,
                             const torch::Tensor& target_input) = 0;

  /// model(…) in the tests: h̃ [B, T, H] of force().
  torch::Tensor forward(const torch::Tensor& source, const torch::Tensor& lengths,
                        const torch::Tensor& target_input) {
    return force(source, lengths, target_input).attentional_hidden;
  }

  /// h̃ [..., H] -> logits [..., V] before copying (log_probabilities() applies it).
  torch::Tensor logits(const torch::Tensor& attentional_hidden) {
    return generator_->logits(attentional_hidden);
  }

  /// h̃ [..., H] -> natural-log probabilities [..., V]. A model that copies needs the attention and
  /// the source's tokens as well (nn/generator.h).
  torch::Tensor log_probabilities(const torch::Tensor& attentional_hidden,
                                  const torch::Tensor& attention = {},
                                  const torch::Tensor& source = {});

  /// The log-probabilities of all steps, [B, T, V]; source [B, S] token ids.
  torch::Tensor log_probabilities(const DecoderSteps& steps, const torch::Tensor& source) {
    return log_probabilities(steps.attentional_hidden, steps.attention, source.unsqueeze(1));
  }

  /// token_loss() of the log-probabilities of h̃ [M, H]; attention and source [M, S] as above. On a
  /// GPU, nn/cuda/logit_loss.h computes it from logits.
  TokenLoss loss(const torch::Tensor& attentional_hidden, const torch::Tensor& targets,
                 double label_smoothing, const torch::Tensor& weights,
                 const torch::Tensor& attention = {}, const torch::Tensor& source = {});

  const Seq2SeqOptions& options() const { return options_; }

 protected:
  /// Makes the embeddings.
  explicit Seq2SeqImpl(const Seq2SeqOptions& options);

  /// Makes the output layer. Derived constructors call it where its random initial values are due.
  void add_generator();

  /// Dropout of x [B, T, W] while training. With variational_dropout, uses `mask` [B, W], and draws
  /// it first if it is undefined.
  torch::Tensor drop(const torch::Tensor& x, double rate, torch::Tensor& mask) const;

  torch::nn::Embedding emb_src_{nullptr};  // null in a language model
  torch::nn::Embedding emb_dec_{nullptr};

 private:
  Seq2SeqOptions options_;
  Generator generator_{nullptr};
};
TORCH_MODULE(Seq2Seq);

/// Creates a model with initial weights.
Seq2Seq make_seq2seq(const Seq2SeqOptions& options);

/// The model's parameters without duplicates (tied parameters have several names).
std::vector<torch::Tensor> unique_parameters(const torch::nn::Module& model);

int64_t count_parameters(const torch::nn::Module& model);

}  // namespace nmt
