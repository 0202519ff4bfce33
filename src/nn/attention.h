#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <map>
#include <memory>
#include <string>

#include "attentions/attention_kind.h"

namespace nmt {

/// Keys and values to attend to. Those of the source are computed once per sentence and shared by
/// all decoding steps.
struct AttentionMemory {
  torch::Tensor keys;    // [B, S, H]  compared with the queries
  torch::Tensor values;  // [B, S, H]  averaged by the weights
  torch::Tensor mask;    // [B|1, Q|1, S]  bool, true where attention is masked: padding or later
                         // positions; undefined: nothing is masked
  torch::Tensor steps = {};  // [Q|1]  float32, the step t of each query, counted from 1; undefined:
                             // the queries are steps 1, 2, …
  torch::Tensor coverage = {};  // [B, Q, S]  C_t,i: the sum of earlier steps' weights; undefined: 0
  torch::Tensor lengths = {};   // [B]  int64, of the sources, where nn/cuda decodes; else undefined

  /// Only the given sentences, int64 indices [B'], in that order.
  AttentionMemory select(const torch::Tensor& sentences) const;
};

struct AttentionOutput {
  torch::Tensor context;  // [B, Q, H]  weighted sum of the values
  torch::Tensor weights;  // [B, Q, S]  0 where masked; a row sums to 1, or to less if
                          // AttentionKind::is_softmax is false
};

/// [B, 1, S] bool, true after the end of each sentence; `lengths` [B]. On the device of `lengths`.
torch::Tensor padding_mask(const torch::Tensor& lengths, int64_t max_length);

/// softmax_i(score_i) over the positions that are not masked. scores [..., S]; mask: true where
/// masked, of a shape that broadcasts to that of the scores, or undefined.
torch::Tensor masked_softmax(const torch::Tensor& scores, const torch::Tensor& mask);

struct AttentionOptions {
  const AttentionKind* kind = &general_attention();
  int64_t size = 0;   // H, of queries, keys and values
  int64_t heads = 1;  // used by kinds with AttentionKind::has_heads
  double temperature = 1.0;
  bool coverage = false;  // whether to learn w_c
};

/// Attention of decoder states to the source. Each kind is a file in nn/attentions. A module holds
/// only its matrices; everything about the current batch is passed in, so one module can serve
/// several translations at once.
class AttentionImpl : public torch::nn::Module {
 public:
  explicit AttentionImpl(const AttentionOptions& options);

  /// The memory of states [B, S, H], such as the encoder's h_src. Keys and values are the states
  /// themselves unless the kind says otherwise.
  virtual AttentionMemory prepare(const torch::Tensor& states, const torch::Tensor& mask);

  /// decoder_states [B, Q, H]: Q queries per sentence (decoding steps, or hypotheses of a beam).
  /// Both outputs are undefined for the kind `none`.
  virtual AttentionOutput forward(const torch::Tensor& decoder_states,
                                  const AttentionMemory& memory) = 0;

  /// The kind's matrix of that name, or w_c [1, H], "coverage".
  const torch::Tensor& matrix(const std::string& name) const { return matrices_.at(name)->weight; }

  /// learning_scale() of each of the kind's matrices, by parameter name within this module.
  std::map<std::string, double> learning_scales() const;

 protected:
  /// W x with the kind's matrix of that name; x [..., H].
  torch::Tensor multiply(const std::string& matrix, const torch::Tensor& x);

  const AttentionOptions& options() const { return options_; }

 private:
  AttentionOptions options_;
  std::map<std::string, torch::nn::Linear> matrices_;
};
TORCH_MODULE(Attention);

/// Base of the kinds that differ only in their score:
///
///   a_t = softmax_i(score(h_t, key_i + w_c C_t,i) / temperature)        c_t = Σ_i a_t,i value_i
///
/// The coverage C_t,i = Σ_{t' < t} a_t',i is the attention that a word has received so far (Tu et
/// al. 2016, section 3.1.1, with fertility 1). The score of additive attention is then vᵀ tanh(W_a
/// h_t + U_a h_i + w_c C_t,i) (See, Liu and Manning 2017, equations 10 and 11, without the bias).
class ScoredAttention : public AttentionImpl {
 public:
  using AttentionImpl::AttentionImpl;

  AttentionOutput forward(const torch::Tensor& decoder_states,
                          const AttentionMemory& memory) override;

 protected:
  /// decoder_states [B, Q, H], keys [B, S, H] -> [B, Q, S]
  virtual torch::Tensor scores(const torch::Tensor& decoder_states, const torch::Tensor& keys) = 0;

 private:
  torch::Tensor covered_scores(const torch::Tensor& decoder_states, const AttentionMemory& memory);
};

/// Makes the module of options.kind, with initial weights.
Attention make_attention(const AttentionOptions& options);

// Defined in nn/attentions/NAME.cpp.
#define NMT_DECLARE_MODULE(name) \
  std::shared_ptr<AttentionImpl> make_##name##_attention(const AttentionOptions& options);
NMT_ATTENTIONS(NMT_DECLARE_MODULE)
#undef NMT_DECLARE_MODULE

/// Registers the factory of the module of a kind added with register_attention().
using AttentionMaker = std::shared_ptr<AttentionImpl> (*)(const AttentionOptions& options);
void register_attention_module(const AttentionKind& kind, AttentionMaker make);

}  // namespace nmt
