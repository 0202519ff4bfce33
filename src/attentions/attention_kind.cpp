#include "attentions/attention_kind.h"

#include <cmath>

namespace nmt {
namespace {

std::vector<const AttentionKind*>& all_kinds() {
#define NMT_ADDRESS_OF_KIND(name) &name##_attention(),
  static std::vector<const AttentionKind*> all = {NMT_ATTENTIONS(NMT_ADDRESS_OF_KIND)};
#undef NMT_ADDRESS_OF_KIND
  return all;
}

}  // namespace

const std::vector<const AttentionKind*>& attention_kinds() { return all_kinds(); }

void register_attention(const AttentionKind& kind) { all_kinds().push_back(&kind); }

double learning_scale(const LearnedMatrix& matrix, int64_t size) {
  return matrix.bilinear ? 1.0 / std::sqrt(static_cast<double>(size)) : 1.0;
}

std::string scored_torchscript(const std::string& memory, const std::string& scores) {
  return R"(
def prepare(self, states: Tensor) -> Tensor:
    return )" +
         memory + R"(

def forward(self, queries: Tensor, memory: Tensor, mask: Tensor@COVERAGE) -> Tuple[Tensor, Tensor]:
    keys = memory.narrow(2, 0, @HIDDEN)
    values = memory.narrow(2, memory.size(2) - @HIDDEN, @HIDDEN)
@COVER    scores = )" +
         scores + R"(
@UNCOVER    weights = torch.softmax(torch.masked_fill(scores / @TEMPERATURE, mask, float("-inf")), -1)
    return torch.bmm(weights, values), weights
)";
}

}  // namespace nmt
