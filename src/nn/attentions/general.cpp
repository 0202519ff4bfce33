// General attention (Luong, Pham and Manning 2015, section 3.1, equation 7 with the score
// "general"), W without a bias:
//
//   q_t = W h_t        score_i = h_src,i · q_t
//
// W is "linear", as in simple-nmt's state_dict.

#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "attentions/attention_kind.h"
#include "attentions/walk.h"

namespace nmt {
namespace {

void explain_general(AttentionWalk& walk) {
  walk.begin(3);
  const auto lane = walk.general_lane();
  walk.attend(lane, walk.score(lane));
}

}  // namespace

const AttentionKind& general_attention() {
  static const AttentionKind kind = {
      "general",
      "dot product with a learned matrix in between (Luong et al. 2015)",
      {{"linear", /*rows=*/0, /*bilinear=*/true}},
      /*has_heads=*/false,
      scored_torchscript(
          "states", "torch.bmm(torch.linear(queries, self.linear.weight), keys.transpose(1, 2))"),
      "a = softmax(h_src · W h_t)",
      {"General: a learned matrix maps the query into the space of the keys (Luong et al. 2015). "
       "The default of this program's GRU models, in which the decoder attends to the source; here "
       "the words of one sentence attend to each other.",
       "일반(general): 학습한 행렬 하나가 쿼리를 키의 공간으로 옮깁니다(Luong 외 2015). 이 "
       "프로그램의 GRU 모델이 쓰는 방식으로, 모델에서는 디코더가 묻고 원문이 답합니다. "
       "여기서는 한 문장의 낱말들이 서로 묻습니다."},
      explain_general,
      /*takes_coverage=*/true};
  return kind;
}

}  // namespace nmt

#else  // the module

#include <ATen/ATen.h>

#include "nn/attention.h"

namespace nmt {
namespace {

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

#endif
