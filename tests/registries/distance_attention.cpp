#include "registries/distance_attention.h"

#include <ATen/ATen.h>

#include "attentions/walk.h"
#include "nn/attention.h"

namespace nmt {
namespace {

/// score_i = −½ |W h_t − h_src,i|²
class DistanceAttention : public ScoredAttention {
 public:
  using ScoredAttention::ScoredAttention;

 protected:
  torch::Tensor scores(const torch::Tensor& decoder_states, const torch::Tensor& keys) override {
    const auto query = multiply("place", decoder_states).unsqueeze(2);  // [B, Q, 1, H]
    return -0.5 * (query - keys.unsqueeze(1)).square().sum(-1);         // [B, Q, S]
  }
};

std::shared_ptr<AttentionImpl> make(const AttentionOptions& options) {
  return std::make_shared<DistanceAttention>(options);
}

const WorkedMatrix kPlaceWeight = {{1, 0, 0, 1}, {0, 1, 0, 0}, {0, 1, 1, 0}, {1, 0, 0, 0}};

void explain(AttentionWalk& walk) {
  walk.begin(3);
  const auto queries = walk.project("Q", {"W", kPlaceWeight}, Role::kQuery);
  const AttentionLane lane{
      queries, walk.vectors(Role::kKey), walk.vectors(Role::kValue), "· W", "=", "="};
  const auto& q = queries.values;
  const auto& k = walk.input().vectors;
  WorkedMatrix scores(q.size(), Row(k.size(), 0.0));
  for (size_t t = 0; t < q.size(); ++t) {
    for (size_t i = 0; i < k.size(); ++i) {
      for (size_t n = 0; n < k[i].size(); ++n) {
        scores[t][i] -= 0.5 * (q[t][n] - k[i][n]) * (q[t][n] - k[i][n]);
      }
    }
  }
  const auto labelled = walk.pairs("S", scores, Role::kPlain);
  walk.add(
      {{"Scores: near or far", "점수: 거리"}, {"", ""}, "S = -1/2 |q - k|²", {{{"", labelled}}}});
  walk.attend(lane, labelled);
}

}  // namespace

const AttentionKind& distance_attention() {
  static const AttentionKind kind = {
      "distance",
      "negative squared distance",
      {{"place"}},
      /*has_heads=*/false,
      scored_torchscript("states",
                         "-0.5 * torch.sum(torch.square(torch.linear(queries, "
                         "self.place.weight).unsqueeze(2) - keys.unsqueeze(1)), [-1])"),
      "a = softmax(-1/2 |W h_t - h_src|²)",
      {"Distance: the nearest word answers.", "거리: 가장 가까운 낱말이 답합니다."},
      explain};
  static const bool registered = [] {
    register_attention(kind);
    register_attention_module(kind, make);
    return true;
  }();
  (void)registered;
  return kind;
}

}  // namespace nmt
