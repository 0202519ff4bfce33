#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

namespace nmt {

/// The source as attention sees it: made once for each sentence, shared by all decoding steps.
struct AttentionMemory {
  torch::Tensor values;   // [B, S, H]  encoder states h_src
  torch::Tensor padding;  // [B, S]     true where there is no token
};

struct AttentionOutput {
  torch::Tensor context;  // [B, Q, H]  weighted sum of the values
  torch::Tensor weights;  // [B, Q, S]  sum to 1 over real tokens, 0 on padding
};

/// padding [B, S] of sentences of `lengths` [B], on the lengths' own device.
torch::Tensor padding_mask(const torch::Tensor& lengths, int64_t max_length);

/// "General" attention (Luong, Pham and Manning 2015, section 3.1, equations 7 and 8), W without
/// a bias:
///
///   q_t = W h_t        score_i = h_src,i · q_t        a_t = softmax_i(score)        c_t = Σ_i
///   a_t,i h_src,i
///
/// Padding scores −inf and so gets weight 0. Holds W alone: what belongs to the current batch is
/// passed in, so one module can serve several translations at once.
class GeneralAttentionImpl : public torch::nn::Module {
 public:
  explicit GeneralAttentionImpl(int64_t hidden_size);

  /// decoder_states [B, Q, H]: Q queries a sentence (decoding steps or hypotheses of a beam).
  AttentionOutput forward(const torch::Tensor& decoder_states, const AttentionMemory& memory);

 private:
  torch::nn::Linear linear_{nullptr};
};
TORCH_MODULE(GeneralAttention);

}  // namespace nmt
