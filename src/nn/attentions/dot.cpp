#include <ATen/ATen.h>

#include "nn/attention.h"

namespace nmt {
namespace {

/// score_i = h_tᵀ h_src,i (Luong, Pham and Manning 2015, section 3.1).
class DotAttention : public ScoredAttention {
 public:
  using ScoredAttention::ScoredAttention;

 protected:
  torch::Tensor scores(const torch::Tensor& decoder_states, const torch::Tensor& keys) override {
    return torch::bmm(decoder_states, keys.transpose(1, 2));  // [B, Q, S]
  }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_dot_attention(const AttentionOptions& options) {
  return std::make_shared<DotAttention>(options);
}

}  // namespace nmt
