#include <ATen/ATen.h>

#include "nn/attention.h"
#include "nn/heads.h"

namespace nmt {
namespace {

/// Several small scaled-dot attentions side by side (Vaswani et al. 2017, section 3.2.2):
///
///   head_j = softmax(Q_j K_jᵀ / √d_k) V_j        c = W_O [head_1 ; … ; head_n]
///
/// where Q_j, K_j, V_j are the j-th share of the columns of W_Q h_t, W_K h_src and W_V h_src. The
/// weights that are shown are the heads' mean.
class MultiHeadAttention : public AttentionImpl {
 public:
  using AttentionImpl::AttentionImpl;

  AttentionMemory remember(const torch::Tensor& states, const torch::Tensor& mask) override {
    return {multiply("key", states), multiply("value", states), mask};
  }

  AttentionOutput forward(const torch::Tensor& decoder_states,
                          const AttentionMemory& memory) override {
    const int64_t heads = options().heads;
    const auto query = split_heads(multiply("query", decoder_states), heads);  // [B, n, Q, d]
    const auto mask = memory.mask.defined() ? memory.mask.unsqueeze(1) : memory.mask;
    const auto found = attend_heads(query, split_heads(memory.keys, heads),
                                    split_heads(memory.values, heads), mask);
    return {multiply("output", join_heads(found.context)), found.weights.mean(1)};
  }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_multi_head_attention(const AttentionOptions& options) {
  return std::make_shared<MultiHeadAttention>(options);
}

}  // namespace nmt
