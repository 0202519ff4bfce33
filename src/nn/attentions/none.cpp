// No attention: the decoder knows the source only through its first state (Sutskever, Vinyals and
// Le 2014).

#ifdef NMT_WITHOUT_LIBTORCH  // the description

#include "attentions/attention_kind.h"
#include "attentions/walk.h"
#include "attentions/walk_steps.h"

namespace nmt {
namespace {

constexpr char kNoneTorchscript[] = R"(
def prepare(self, states: Tensor) -> Tensor:
    return states

def forward(self, queries: Tensor, memory: Tensor, mask: Tensor) -> Tuple[Tensor, Tensor]:
    nothing = queries.narrow(2, 0, 0)
    return nothing, nothing
)";

void explain_none(AttentionWalk& walk) {
  const auto count = walk.input().words.size();
  walk.begin(3);
  const auto weights = walk.pairs("A", last_alone(count, count), Role::kWeights);
  walk.add(nothing_step(weights));
  const auto values = walk.vectors(Role::kValue);
  const auto mixtures =
      walk.rows_of("Z", weighted_sum(weights.values, values.values), Role::kPlain);
  walk.add(mixture_step(weights, values, mixtures));
  walk.add(dictionary_step(weights));
  const auto node = walk.draw(weights, {"always the last", "언제나 마지막"}, 1, 0, 2);
  const auto value_node = walk.draw(values, {"values", "값"}, 1, 2, 1);
  const auto sum = walk.draw(mixtures, {"what is left", "남는 것"}, 2, 0, 2);
  walk.connect(0, value_node, "=");
  walk.connect(node, sum);
  walk.connect(value_node, sum);
}

}  // namespace

const AttentionKind& none_attention() {
  static const AttentionKind kind = {
      "none",
      "no attention (Sutskever et al. 2014)",
      {},
      /*has_heads=*/false,
      kNoneTorchscript,
      "",
      {"None: the encoder passes a single vector to the decoder, however long the sentence is "
       "(Sutskever et al. 2014). Attention was invented to remove this bottleneck.",
       "없음(none): 문장이 아무리 길어도 인코더가 벡터 하나만 넘겨줍니다(Sutskever 외 2014). "
       "어텐션은 이 문제를 풀려고 나왔습니다."},
      explain_none};
  return kind;
}

}  // namespace nmt

#else  // the module

#include "nn/attention.h"

namespace nmt {
namespace {

class NoAttention : public AttentionImpl {
 public:
  using AttentionImpl::AttentionImpl;

  AttentionOutput forward(const torch::Tensor&, const AttentionMemory&) override { return {}; }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_none_attention(const AttentionOptions& options) {
  return std::make_shared<NoAttention>(options);
}

}  // namespace nmt

#endif
