// Location-based attention (Luong, Pham and Manning 2015, section 3.1, equation 8):
//
//   a_t = softmax(W_a h_t)
//
// The score of a word depends on h_t and its position in the sentence, not on the word: score_i is
// row i of W_a, "location", times h_t. W_a has kLocationPositions rows; words beyond them get
// weight 0.

#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "attentions/attention_kind.h"
#include "attentions/walk.h"
#include "attentions/walk_steps.h"

namespace nmt {
namespace {

std::string location_torchscript() {
  return scored_torchscript(
      "states",
      "torch.constant_pad_nd(torch.linear(queries, self.location.weight), [0, keys.size(1) - " +
          std::to_string(kLocationPositions) + "], float(\"-inf\"))");
}

// Small integers, so that a reader can compute with them. Its rows repeat in longer sentences.
const WorkedMatrix kLocationWeight = {{1, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 2, 0}, {1, 0, 1, 0}};

void explain_location(AttentionWalk& walk) {
  walk.begin(3);
  WorkedMatrix weight;  // [n, 4]
  for (size_t i = 0; i < walk.input().words.size(); ++i) {
    weight.push_back(kLocationWeight[i % kLocationWeight.size()]);
  }
  const AttentionLane lane{walk.vectors(Role::kQuery),
                           walk.rows_of("W_a", weight, Role::kKey),
                           walk.vectors(Role::kValue),
                           "=",
                           "i",
                           "="};
  walk.add(location_step(lane.keys));
  walk.attend(lane, walk.score(lane));
}

}  // namespace

const AttentionKind& location_attention() {
  static const AttentionKind kind = {
      "location",
      "a learned score for each position, whatever its word (Luong et al. 2015)",
      {{"location", /*rows=*/kLocationPositions}},
      /*has_heads=*/false,
      location_torchscript(),
      "a = softmax(W_a h_t)",
      {"Location: each position in the sentence has a key of its own, the same in every sentence, "
       "and the words there do not matter (Luong et al. 2015). The simplest attention that learns "
       "something.",
       "위치(location): 문장의 자리마다 정해진 키가 있어 어느 문장에서나 같고, 그 자리에 어떤 "
       "낱말이 있는지는 보지 않습니다(Luong 외 2015). 무언가를 배우는 어텐션 가운데 가장 "
       "단순합니다."},
      explain_location};
  return kind;
}

}  // namespace nmt

#else  // the module

#include <ATen/ATen.h>

#include <limits>

#include "nn/attention.h"

namespace nmt {
namespace {

class LocationAttention : public ScoredAttention {
 public:
  using ScoredAttention::ScoredAttention;

 protected:
  /// Pads with −∞ beyond W_a's rows; where the padding is negative, it cuts off unused rows.
  torch::Tensor scores(const torch::Tensor& decoder_states, const torch::Tensor& keys) override {
    return torch::constant_pad_nd(multiply("location", decoder_states),
                                  {0, keys.size(1) - kLocationPositions},
                                  -std::numeric_limits<double>::infinity());  // [B, Q, S]
  }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_location_attention(const AttentionOptions& options) {
  return std::make_shared<LocationAttention>(options);
}

}  // namespace nmt

#endif
