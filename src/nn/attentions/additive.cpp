// Additive attention (Bahdanau, Cho and Bengio 2015, appendix A.1.2), with the query h_t, which is
// known here, instead of h_{t−1}:
//
//   score_i = vᵀ tanh(W_a h_t + U_a h_src,i)
//
// The keys U_a h_src,i are computed once. W_a is "query", U_a is "key", v the one row of "energy".

#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "attentions/attention_kind.h"
#include "attentions/walk.h"
#include "attentions/walk_steps.h"

namespace nmt {
namespace {

// Sums near 0, where tanh is not saturated.
const WorkedMatrix kAdditiveQueryWeight = {{1, 0, -1}, {0, 1, 0}, {-1, 1, 0}, {0, -1, 1}};
const WorkedMatrix kAdditiveKeyWeight = {{1, -1, 0}, {0, 1, 0}, {0, 0, -1}, {-1, 0, 1}};
const Row kV = {2, 1, 3};

void explain_additive(AttentionWalk& walk) {
  walk.begin(3);
  const auto queries = walk.project("Q", {"W", kAdditiveQueryWeight}, Role::kQuery);
  const auto keys = walk.project("K", {"U", kAdditiveKeyWeight}, Role::kKey);
  const AttentionLane lane{queries, keys, walk.vectors(Role::kValue), "· W", "· U", "="};
  const auto scores =
      walk.pairs("S", additive_scores(queries.values, keys.values, kV), Role::kPlain);
  walk.add(additive_step(queries, keys, kV, scores));
  walk.attend(lane, scores);
}

}  // namespace

const AttentionKind& additive_attention() {
  static const AttentionKind kind = {
      "additive",
      "small network that scores each pair (Bahdanau et al. 2015)",
      {{"query"}, {"key"}, {"energy", /*rows=*/1}},
      /*has_heads=*/false,
      scored_torchscript("torch.cat([torch.linear(states, self.key.weight), states], -1)",
                         "torch.linear(torch.tanh(torch.linear(queries, "
                         "self.query.weight).unsqueeze(2) + keys.unsqueeze(1)), "
                         "self.energy.weight).squeeze(-1)"),
      "a = softmax(vᵀ tanh(W h_t + U h_src))",
      {"Additive: a small network scores each pair (Bahdanau et al. 2015). The first attention "
       "used in translation.",
       "덧셈(additive): 작은 신경망이 쌍마다 점수를 매깁니다(Bahdanau 외 2015). 번역에 처음 쓰인 "
       "어텐션입니다."},
      explain_additive,
      /*takes_coverage=*/true};
  return kind;
}

}  // namespace nmt

#else  // the module

#include <ATen/ATen.h>

#include "nn/attention.h"

namespace nmt {
namespace {

class AdditiveAttention : public ScoredAttention {
 public:
  using ScoredAttention::ScoredAttention;

  AttentionMemory prepare(const torch::Tensor& states, const torch::Tensor& mask) override {
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

#endif
