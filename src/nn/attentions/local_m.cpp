// Local attention with monotonic alignment (Luong, Pham and Manning 2015, section 3.2, "local-m"),
// with the general score of section 3.1 without a bias:
//
//   p_t = min(t, S)
//   a_t = softmax(score)        score_s = h_src,s · W h_t
//
// over the tokens s with |s − p_t| ≤ D, counted from 1 to S, the length of the sentence; all others
// get weight 0. t counts target tokens from 1. The paper has p_t = t; the minimum keeps the window
// from becoming empty in translations longer than their source. D is kLocalHalfWidth. W is
// "linear".

#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "attentions/attention_kind.h"
#include "attentions/walk.h"
#include "attentions/walk_steps.h"

namespace nmt {
namespace {

std::string local_m_torchscript() {
  return R"(
def window(self, mask: Tensor, steps: Tensor) -> Tensor:
    lengths = torch.sum(torch.logical_not(mask), [-1], True)
    words = torch.arange(1, mask.size(2) + 1, device=mask.device)
    return torch.logical_or(mask, torch.abs(words - torch.minimum(steps, lengths)) > )" +
         std::to_string(kLocalHalfWidth) + R"()
)" +
         scored_torchscript("states",
                            "torch.bmm(torch.linear(queries, self.linear.weight), "
                            "keys.transpose(1, 2))");
}

constexpr int kMonotonicWalkHalfWidth = 1;  // hides some of a few words

void explain_local_m(AttentionWalk& walk) {
  walk.begin(4);
  const auto lane = walk.general_lane();
  const auto scores = walk.score(lane);
  WorkedMatrix steps;  // [n, 1]
  for (size_t t = 1; t <= walk.input().words.size(); ++t) steps.push_back({static_cast<double>(t)});
  const auto positions = walk.rows_of("p", steps, Role::kPlain);
  walk.add(monotonic_step(positions));
  const AttentionWindow window{positions, kMonotonicWalkHalfWidth,
                               walk.draw(positions, {"positions", "위치"}, 1, 3, 1),
                               /*gaussian=*/false};
  walk.connect(0, window.node, "t");
  walk.attend(lane, scores, /*key_size=*/0, &window);
}

}  // namespace

const AttentionKind& local_m_attention() {
  static const AttentionKind kind = {
      "local-m",
      "general, only near the step's own position (Luong et al. 2015)",
      {{"linear", /*rows=*/0, /*bilinear=*/true}},
      /*has_heads=*/false,
      local_m_torchscript(),
      "a = softmax(h_src · W h_t) where |s − p| ≤ D,  p = min(t, S)",
      {"Local, monotonic: the t-th query sees only the words in a window around the t-th word "
       "(Luong et al. 2015). For languages whose words stand in the same order. In models the "
       "window reaches 10 tokens to each side; in this example, 1.",
       "지역(local-m): t번째 쿼리는 t번째 낱말 둘레의 창 안에 있는 낱말만 봅니다(Luong 외 2015). "
       "어순이 비슷한 언어에 알맞습니다. 모델에서는 창이 양쪽으로 낱말 10개까지이고, 여기서는 "
       "1개까지입니다."},
      explain_local_m,
      /*takes_coverage=*/false,
      /*uses_step=*/true};
  return kind;
}

}  // namespace nmt

#else  // the module

#include <ATen/ATen.h>

#include "nn/attention.h"
#include "nn/local_window.h"

namespace nmt {
namespace {

class LocalMonotonicAttention : public ScoredAttention {
 public:
  using ScoredAttention::ScoredAttention;

  AttentionOutput forward(const torch::Tensor& decoder_states,
                          const AttentionMemory& memory) override {
    const auto lengths = sentence_lengths(memory);  // [B, 1, 1]
    const auto steps = memory.steps.defined()
                           ? memory.steps
                           : torch::arange(1, decoder_states.size(1) + 1, lengths.options());
    const auto positions = torch::minimum(steps.view({1, -1, 1}), lengths);  // [B, Q|1, 1]
    auto seen = memory;
    seen.mask = window_around(positions, memory).masked;
    return ScoredAttention::forward(decoder_states, seen);
  }

 protected:
  torch::Tensor scores(const torch::Tensor& decoder_states, const torch::Tensor& keys) override {
    return torch::bmm(multiply("linear", decoder_states), keys.transpose(1, 2));  // [B, Q, S]
  }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_local_m_attention(const AttentionOptions& options) {
  return std::make_shared<LocalMonotonicAttention>(options);
}

}  // namespace nmt

#endif
