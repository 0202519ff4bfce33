// Local attention with predictive alignment (Luong, Pham and Manning 2015, section 3.2, "local-p",
// equations 9 and 10), with the general score of section 3.1 without biases:
//
//   p_t = S sigmoid(v_pᵀ tanh(W_p h_t))
//   a_t,s = softmax(score)_s exp(−(s − p_t)² / 2σ²)        score_s = h_src,s · W h_t
//
// over the tokens s with |s − p_t| ≤ D, counted from 1 to S, the length of the sentence: the
// softmax sums over them alone, and all others get weight 0. As in the paper, the products are not
// normalized again, so the weights sum to less than 1. D is kLocalHalfWidth, σ kLocalDeviation. W
// is "linear", W_p is "position", v_p the one row of "center".

#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "attentions/attention_kind.h"
#include "attentions/walk.h"
#include "attentions/walk_steps.h"

namespace nmt {
namespace {

std::string local_p_torchscript() {
  return R"(
def prepare(self, states: Tensor) -> Tensor:
    return states

def forward(self, queries: Tensor, memory: Tensor, mask: Tensor) -> Tuple[Tensor, Tensor]:
    hidden = torch.tanh(torch.linear(queries, self.position.weight))
    lengths = torch.sum(torch.logical_not(mask), [-1], True)
    centers = torch.sigmoid(torch.linear(hidden, self.center.weight)) * lengths
    distances = torch.arange(1, memory.size(1) + 1, device=memory.device) - centers
    masked = torch.logical_or(mask, torch.abs(distances) > )" +
         std::to_string(kLocalHalfWidth) + R"()
    scores = torch.bmm(torch.linear(queries, self.linear.weight), memory.transpose(1, 2))
    scores = torch.masked_fill(scores / @TEMPERATURE, masked, float("-inf"))
    weights = torch.softmax(scores, -1) * torch.exp(distances * distances / )" +
         std::to_string(-2.0 * kLocalDeviation * kLocalDeviation) + R"()
    return torch.bmm(weights, memory), weights
)";
}

// Small integers, so that a reader can compute with them.
const WorkedMatrix kLocalPositionWeight = {{1, 0}, {0, -1}, {0, 0}, {0, 0}};
const Row kLocalCenter = {1, 2};
constexpr int kWalkHalfWidth = 2;  // hides some of a few words

void explain_local_p(AttentionWalk& walk) {
  walk.begin(4);
  const auto lane = walk.general_lane();
  const auto scores = walk.score(lane);
  const auto& states = walk.input().vectors;
  const LabelledMatrix weight{"W_p", kLocalPositionWeight};
  const auto positions = walk.rows_of(
      "p", predicted_positions(product(states, weight.values), kLocalCenter, states.size()),
      Role::kPlain);
  walk.add(position_step(walk.vectors(), weight, kLocalCenter, positions));
  const AttentionWindow window{positions, kWalkHalfWidth,
                               walk.draw(positions, {"positions", "위치"}, 1, 3, 1)};
  walk.connect(0, window.node, "W_p, v");
  walk.attend(lane, scores, /*key_size=*/0, &window);
}

}  // namespace

const AttentionKind& local_p_attention() {
  static const AttentionKind kind = {
      "local-p",
      "general, only near a predicted position (Luong et al. 2015)",
      {{"linear", /*rows=*/0, /*bilinear=*/true}, {"position"}, {"center", /*rows=*/1}},
      /*has_heads=*/false,
      local_p_torchscript(),
      "a = softmax(h_src · W h_t) exp(−2(s − p)²/D²),  p = S sigmoid(vᵀ tanh(W_p h_t))",
      {"Local, predictive: each query predicts a position in the sentence and sees only the words "
       "in a window around it, with less weight the further away they are (Luong et al. 2015). In "
       "models the window reaches 10 tokens to each side; in this example, 2.",
       "지역(local-p): 쿼리마다 문장의 한 자리를 예측하고 그 둘레의 창 안에 있는 낱말만, 멀수록 "
       "적게 봅니다(Luong 외 2015). 모델에서는 창이 양쪽으로 낱말 10개까지이고, 여기서는 "
       "2개까지입니다."},
      explain_local_p,
      /*takes_coverage=*/false,
      /*uses_step=*/false,
      /*is_softmax=*/false,
      {"It may sum to less than 1, since a Gaussian around the predicted position p reduces the "
       "weights.",
       "예측한 자리 p를 중심으로 하는 가우스 함수를 곱하므로 합은 1보다 작을 수 있습니다."}};
  return kind;
}

}  // namespace nmt

#else  // the module

#include <ATen/ATen.h>

#include "nn/attention.h"
#include "nn/local_window.h"

namespace nmt {
namespace {

class LocalPredictiveAttention : public AttentionImpl {
 public:
  using AttentionImpl::AttentionImpl;

  AttentionOutput forward(const torch::Tensor& decoder_states,
                          const AttentionMemory& memory) override {
    const auto hidden = torch::tanh(multiply("position", decoder_states));  // [B, Q, H]
    const auto positions =
        sentence_lengths(memory) * torch::sigmoid(multiply("center", hidden));  // [B, Q, 1]
    const auto words = window_around(positions, memory);
    const auto query = multiply("linear", decoder_states);  // [B, Q, H]
    const auto scores = torch::bmm(query, memory.keys.transpose(1, 2)) / options().temperature;
    constexpr double kVariance = kLocalDeviation * kLocalDeviation;
    const auto weights = masked_softmax(scores, words.masked) *
                         torch::exp(words.distances.square() / (-2.0 * kVariance));  // [B, Q, S]
    return {torch::bmm(weights, memory.values), weights};
  }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_local_p_attention(const AttentionOptions& options) {
  return std::make_shared<LocalPredictiveAttention>(options);
}

}  // namespace nmt

#endif
