#include <ATen/ATen.h>

#include "nn/attention.h"

namespace nmt {
namespace {

/// Additive attention (Bahdanau, Cho and Bengio 2015, appendix A.1.2), asked with h_t, which here
/// is known already, where they had h_{t−1}:
///
///   score_i = vᵀ tanh(W_a h_t + U_a h_src,i)
///
/// The keys U_a h_src,i are made once; v is the one row of "energy".
class AdditiveAttention : public ScoredAttention {
 public:
  using ScoredAttention::ScoredAttention;

  AttentionMemory remember(const torch::Tensor& states, const torch::Tensor& mask) override {
    return {multiply("key", states), states, mask};
  }

 protected:
  torch::Tensor scores(const torch::Tensor& decoder_states, const torch::Tensor& keys) override {
    const auto query = multiply("query", decoder_states).unsqueeze(2);  // [B, Q, 1, H]
    const auto joined = torch::tanh(query + keys.unsqueeze(1));         // [B, Q, S, H]
    return multiply("energy", joined).squeeze(-1);                      // [B, Q, S]
  }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_additive_attention(const AttentionOptions& options) {
  return std::make_shared<AdditiveAttention>(options);
}

}  // namespace nmt
