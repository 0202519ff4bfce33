#include <ATen/ATen.h>

#include <cmath>

#include "nn/attention.h"

namespace nmt {
namespace {

/// Scaled dot-product attention (Vaswani et al. 2017, section 3.2.1, equation 1), with Q = W_Q h_t,
/// K = W_K h_src, V = W_V h_src:
///
///   softmax(Q Kᵀ / √d_k) V
///
/// Dividing keeps the scores of long vectors from driving softmax where it has no gradient.
class ScaledDotAttention : public ScoredAttention {
 public:
  using ScoredAttention::ScoredAttention;

  AttentionMemory remember(const torch::Tensor& states, const torch::Tensor& mask) override {
    return {multiply("key", states), multiply("value", states), mask};
  }

 protected:
  torch::Tensor scores(const torch::Tensor& decoder_states, const torch::Tensor& keys) override {
    const auto query = multiply("query", decoder_states);  // [B, Q, H]
    return torch::bmm(query, keys.transpose(1, 2)) /
           std::sqrt(static_cast<double>(options().size));  // [B, Q, S]
  }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_scaled_dot_attention(const AttentionOptions& options) {
  return std::make_shared<ScaledDotAttention>(options);
}

}  // namespace nmt
