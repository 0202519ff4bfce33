// Dot attention (Luong, Pham and Manning 2015, section 3.1):
//
//   score_i = h_tᵀ h_src,i

#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "attentions/attention_kind.h"
#include "attentions/walk.h"

namespace nmt {
namespace {

void explain_dot(AttentionWalk& walk) {
  walk.begin(3);
  const AttentionLane lane{walk.vectors(Role::kQuery),
                           walk.vectors(Role::kKey),
                           walk.vectors(Role::kValue),
                           "=",
                           "=",
                           "="};
  walk.attend(lane, walk.score(lane));
}

}  // namespace

const AttentionKind& dot_attention() {
  static const AttentionKind kind = {
      "dot",
      "dot product of the states (Luong et al. 2015)",
      {},
      /*has_heads=*/false,
      scored_torchscript("states", "torch.bmm(queries, keys.transpose(1, 2))"),
      "a = softmax(h_src · h_t)",
      {"Dot: each state serves as query, key and value unchanged (Luong et al. 2015). No weights "
       "are learned.",
       "내적(dot): 상태 벡터를 그대로 쿼리, 키, 값으로 씁니다(Luong 외 2015). 그 사이에 따로 "
       "학습하는 것은 없습니다."},
      explain_dot,
      /*takes_coverage=*/true};
  return kind;
}

}  // namespace nmt

#else  // the module

#include <ATen/ATen.h>

#include "nn/attention.h"

namespace nmt {
namespace {

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

#endif
