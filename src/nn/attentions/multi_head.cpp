// Multi-head attention (Vaswani et al. 2017, section 3.2.2): several small scaled-dot attentions.
//
//   head_j = softmax(Q_j K_jᵀ / √d_k) V_j        c = W_O [head_1 ; … ; head_n]
//
// where Q_j, K_j, V_j are the j-th slice of the columns of W_Q h_t, W_K h_src and W_V h_src. The
// weights returned are the mean over the heads.

#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "attentions/attention_kind.h"
#include "attentions/walk.h"
#include "attentions/walk_steps.h"

namespace nmt {
namespace {

constexpr char kMultiHeadTorchscript[] = R"(
def _split(self, columns: Tensor) -> Tensor:
    return columns.view([columns.size(0), columns.size(1), @HEADS, @WIDTH]).transpose(1, 2)

def prepare(self, states: Tensor) -> Tensor:
    return torch.cat([torch.linear(states, self.key.weight), torch.linear(states, self.value.weight)], -1)

def forward(self, queries: Tensor, memory: Tensor, mask: Tensor) -> Tuple[Tensor, Tensor]:
    queries = self._split(torch.linear(queries, self.query.weight)) / @WIDTH ** 0.5
    keys = self._split(memory.narrow(2, 0, @HIDDEN))
    values = self._split(memory.narrow(2, @HIDDEN, @HIDDEN))
    scores = torch.matmul(queries, keys.transpose(2, 3))
    scores = torch.masked_fill(scores / @TEMPERATURE, mask.unsqueeze(1), float("-inf"))
    weights = torch.softmax(scores, -1)
    contexts = torch.matmul(weights, values).transpose(1, 2).flatten(2)
    return torch.linear(contexts, self.output.weight), torch.mean(weights, [1])
)";

// Small integers, so that a reader can compute with them.
struct HeadWeights {
  WorkedMatrix query, key, value;  // [4, 2]
};
const std::vector<HeadWeights> kHeads = {{{{1, 0}, {0, 1}, {1, 0}, {0, 1}},
                                          {{0, 1}, {1, 0}, {0, 1}, {1, 0}},
                                          {{1, 0}, {0, 2}, {1, 1}, {0, 0}}},
                                         {{{0, 1}, {1, 0}, {0, 0}, {0, 1}},
                                          {{1, 0}, {0, 1}, {0, 0}, {1, 0}},
                                          {{2, 0}, {0, 1}, {0, 0}, {1, 1}}}};
const WorkedMatrix kMultiHeadOutputWeight = {
    {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}};

Text head_title(size_t head, const Text& title) {
  const auto number = std::to_string(head + 1);
  return {"Head " + number + ". " + title.english, "헤드 " + number + ". " + title.korean};
}

Mixtures explain_head(AttentionWalk& walk, size_t head) {
  const auto number = std::vector<std::string>{"₁", "₂"}[head];
  const auto& weights = kHeads[head];
  const auto queries = walk.project("Q" + number, {"W_Q" + number, weights.query}, Role::kQuery);
  const auto keys = walk.project("K" + number, {"W_K" + number, weights.key}, Role::kKey);
  const auto values = walk.project("V" + number, {"W_V" + number, weights.value}, Role::kValue);
  const AttentionLane lane{queries,          keys,   values,  "· W_Q" + number, "· W_K" + number,
                           "· W_V" + number, number, 3 * head};
  return walk.attend(lane, walk.score(lane), weights.key.front().size());
}

void explain_multi_head(AttentionWalk& walk) {
  const size_t columns = 3 * kHeads.size();
  walk.begin(columns);
  std::vector<WorkedMatrix> answers;
  std::vector<size_t> nodes;
  for (size_t head = 0; head < kHeads.size(); ++head) {
    const auto first_step = walk.steps().size();
    const auto answer = explain_head(walk, head);
    answers.push_back(answer.values.values);
    nodes.push_back(answer.node);
    for (auto i = first_step; i < walk.steps().size(); ++i) {
      auto& title = walk.steps()[i].title;
      title = head_title(head, title);
    }
  }
  const auto joined = walk.rows_of("[Z₁ ; Z₂]", side_by_side(answers), Role::kPlain);
  const auto result =
      walk.rows_of("Y", product(joined.values, kMultiHeadOutputWeight), Role::kPlain);
  walk.add(heads_step(joined, {"W_O", kMultiHeadOutputWeight}, result));
  const auto row = walk.nodes()[nodes.front()].row + 1;
  const auto both = walk.draw(joined, {"joined", "이어 붙임"}, row, 0, columns);
  for (const auto node : nodes) walk.connect(node, both);
  walk.connect(both, walk.draw(result, {"output", "출력"}, row + 1, 0, columns), "· W_O");
}

}  // namespace

const AttentionKind& multi_head_attention() {
  static const AttentionKind kind = {
      "multi-head",
      "several scaled-dot attentions side by side (Vaswani et al. 2017)",
      {{"query"}, {"key"}, {"value"}, {"output"}},
      /*has_heads=*/true,
      kMultiHeadTorchscript,
      "a = 1/n Σ_j softmax(K_j q_j / √d_k),  K_j = W_Kj h_src,  q_j = W_Qj h_t",
      {"Multi-head: several small attentions in parallel, each with its own queries, keys and "
       "values (Vaswani et al. 2017). This example has two heads, with keys of two numbers.",
       "멀티 헤드(multi-head): 작은 어텐션 여러 개가 나란히 저마다 다른 쿼리를 "
       "던집니다(Vaswani 외 2017). 여기서는 두 개이고, 키마다 숫자가 두 개입니다."},
      explain_multi_head};
  return kind;
}

}  // namespace nmt

#else  // the module

#include <ATen/ATen.h>

#include <cmath>

#include "nn/attention.h"

namespace nmt {
namespace {

class MultiHeadAttention : public AttentionImpl {
 public:
  using AttentionImpl::AttentionImpl;

  AttentionMemory prepare(const torch::Tensor& states, const torch::Tensor& mask) override {
    return {multiply("key", states), multiply("value", states), mask};
  }

  AttentionOutput forward(const torch::Tensor& decoder_states,
                          const AttentionMemory& memory) override {
    const auto queries =
        split(multiply("query", decoder_states) / options().temperature);  // [B, n, Q, d]
    const auto mask = memory.mask.defined() ? memory.mask.unsqueeze(1) : memory.mask;
    const double scale = 1.0 / std::sqrt(static_cast<double>(queries.size(-1)));
    const auto keys = split(memory.keys).transpose(2, 3);  // [B, n, d, S]
    const auto weights =
        masked_softmax(torch::matmul(queries * scale, keys), mask);      // [B, n, Q, S]
    const auto contexts = torch::matmul(weights, split(memory.values));  // [B, n, Q, d]
    return {multiply("output", contexts.transpose(1, 2).flatten(2)), weights.mean(1)};
  }

 private:
  /// [B, T, H] -> [B, n, T, d]: one slice of d = H/n columns per head.
  torch::Tensor split(const torch::Tensor& columns) const {
    return columns.view({columns.size(0), columns.size(1), options().heads, -1}).transpose(1, 2);
  }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_multi_head_attention(const AttentionOptions& options) {
  return std::make_shared<MultiHeadAttention>(options);
}

}  // namespace nmt

#endif
