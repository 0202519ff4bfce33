#include <ATen/ATen.h>

#include "nn/attention.h"

namespace nmt {
namespace {

/// "General" attention (Luong, Pham and Manning 2015, section 3.1, equations 7 and 8), W without a
/// bias:
///
///   q_t = W h_t        score_i = h_src,i · q_t
class GeneralAttention : public ScoredAttention {
 public:
  using ScoredAttention::ScoredAttention;

 protected:
  torch::Tensor scores(const torch::Tensor& decoder_states, const torch::Tensor& keys) override {
    const auto query = multiply("linear", decoder_states);  // [B, Q, H]
    return torch::bmm(query, keys.transpose(1, 2));         // [B, Q, S]
  }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_general_attention(const AttentionOptions& options) {
  return std::make_shared<GeneralAttention>(options);
}

}  // namespace nmt
