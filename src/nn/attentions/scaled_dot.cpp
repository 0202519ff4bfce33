// Scaled dot-product attention (Vaswani et al. 2017, section 3.2.1, equation 1), with Q = W_Q h_t,
// K = W_K h_src, V = W_V h_src:
//
//   softmax(Q Kᵀ / √d_k) V        d_k = H
//
// Without the division, the scores of long vectors push the softmax into regions with almost no
// gradient.

#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "attentions/attention_kind.h"
#include "attentions/walk.h"
#include "attentions/walk_steps.h"

namespace nmt {
namespace {

// Small integers, so that a reader can compute with them.
const WorkedMatrix kScaledDotQueryWeight = {{1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}};
const WorkedMatrix kScaledDotKeyWeight = {{0, 0, 1}, {1, 1, 0}, {0, 1, 0}, {1, 1, 0}};
const WorkedMatrix kScaledDotValueWeight = {{0, 2, 0}, {0, 3, 0}, {1, 0, 3}, {1, 1, 0}};

void explain_scaled_dot(AttentionWalk& walk) {
  walk.begin(3);
  const auto queries = walk.project("Q", {"W_query", kScaledDotQueryWeight}, Role::kQuery);
  const auto keys = walk.project("K", {"W_key", kScaledDotKeyWeight}, Role::kKey);
  const auto values = walk.project("V", {"W_value", kScaledDotValueWeight}, Role::kValue);
  const AttentionLane lane{queries, keys, values, "· W_query", "· W_key", "· W_value"};
  const auto scores = walk.score(lane);
  walk.attend(lane, scores, kScaledDotQueryWeight.front().size());
  const auto weights = walk.pairs("A(d_k=1)", softmax(scores.values), Role::kWeights);
  const auto mixtures =
      walk.rows_of("Z(d_k=1)", weighted_sum(weights.values, values.values), Role::kPlain);
  walk.add(unscaled_step(weights, values, mixtures));
}

}  // namespace

const AttentionKind& scaled_dot_attention() {
  static const AttentionKind kind = {
      "scaled-dot",
      "learned queries, keys and values, scaled (Vaswani et al. 2017)",
      {{"query"}, {"key"}, {"value"}},
      /*has_heads=*/false,
      scored_torchscript(
          "torch.cat([torch.linear(states, self.key.weight), torch.linear(states, "
          "self.value.weight)], -1)",
          "torch.bmm(torch.linear(queries, self.query.weight), keys.transpose(1, 2)) / "
          "@HIDDEN ** 0.5"),
      "a = softmax(W_K h_src · W_Q h_t / √d_k)",
      {"Scaled dot product: three matrices map the words to queries, keys and values, and the "
       "words attend to each other (Vaswani et al. 2017). The core of the Transformer.",
       "스케일드 내적(scaled-dot): 행렬 세 개로 낱말에서 쿼리, 키, 값을 만들고 낱말들이 서로 "
       "묻습니다(Vaswani 외 2017). 트랜스포머의 핵심입니다."},
      explain_scaled_dot,
      /*takes_coverage=*/true};
  return kind;
}

}  // namespace nmt

#else  // the module

#include <ATen/ATen.h>

#include <cmath>

#include "nn/attention.h"

namespace nmt {
namespace {

class ScaledDotAttention : public ScoredAttention {
 public:
  using ScoredAttention::ScoredAttention;

  AttentionMemory prepare(const torch::Tensor& states, const torch::Tensor& mask) override {
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

#endif
