#include "errors/error.h"
#include "export/torchscript_fragments.h"

namespace nmt {
namespace {

constexpr char kNoAttention[] = R"(
def remember(self, states: Tensor) -> Tensor:
    return states

def forward(self, queries: Tensor, memory: Tensor, mask: Tensor) -> Tuple[Tensor, Tensor]:
    nothing = queries.narrow(2, 0, 0)
    return nothing, nothing
)";

constexpr char kScoredAttention[] = R"(
def remember(self, states: Tensor) -> Tensor:
    return @MEMORY

def forward(self, queries: Tensor, memory: Tensor, mask: Tensor) -> Tuple[Tensor, Tensor]:
    keys = memory.narrow(2, 0, @HIDDEN)
    values = memory.narrow(2, memory.size(2) - @HIDDEN, @HIDDEN)
    scores = @SCORES
    weights = torch.softmax(torch.masked_fill(scores, mask, float("-inf")), -1)
    return torch.bmm(weights, values), weights
)";

constexpr char kMultiHeadAttention[] = R"(
def _split(self, columns: Tensor) -> Tensor:
    return columns.view([columns.size(0), columns.size(1), @HEADS, @WIDTH]).transpose(1, 2)

def remember(self, states: Tensor) -> Tensor:
    return torch.cat([torch.linear(states, self.key.weight), torch.linear(states, self.value.weight)], -1)

def forward(self, queries: Tensor, memory: Tensor, mask: Tensor) -> Tuple[Tensor, Tensor]:
    asked = self._split(torch.linear(queries, self.query.weight)) / @WIDTH ** 0.5
    keys = self._split(memory.narrow(2, 0, @HIDDEN))
    values = self._split(memory.narrow(2, @HIDDEN, @HIDDEN))
    scores = torch.matmul(asked, keys.transpose(2, 3))
    weights = torch.softmax(torch.masked_fill(scores, mask.unsqueeze(1), float("-inf")), -1)
    context = torch.matmul(weights, values).transpose(1, 2).flatten(2)
    return torch.linear(context, self.output.weight), torch.mean(weights, [1])
)";

struct Scored {
  const char* kind;
  const char* memory;
  const char* scores;
};

constexpr Scored kScored[] = {
    {"dot", "states", "torch.bmm(queries, keys.transpose(1, 2))"},
    {"general", "states",
     "torch.bmm(torch.linear(queries, self.linear.weight), keys.transpose(1, 2))"},
    {"additive", "torch.cat([torch.linear(states, self.key.weight), states], -1)",
     "torch.linear(torch.tanh(torch.linear(queries, self.query.weight).unsqueeze(2) + "
     "keys.unsqueeze(1)), self.energy.weight).squeeze(-1)"},
    {"scaled-dot",
     "torch.cat([torch.linear(states, self.key.weight), torch.linear(states, self.value.weight)], "
     "-1)",
     "torch.bmm(torch.linear(queries, self.query.weight), keys.transpose(1, 2)) / @HIDDEN ** 0.5"},
};

std::string template_of(const std::string& kind) {
  if (kind == "none") return kNoAttention;
  if (kind == "multi-head") return kMultiHeadAttention;
  for (const auto& scored : kScored) {
    if (kind != scored.kind) continue;
    return fill_in(kScoredAttention, {{"@MEMORY", scored.memory}, {"@SCORES", scored.scores}});
  }
  throw Error("there is no TorchScript program of model.attention " + kind);
}

}  // namespace

std::string attention_program(const std::string& kind, const Seq2SeqOptions& options) {
  return fill_in(template_of(kind),
                 {{"@HIDDEN", std::to_string(options.hidden_size)},
                  {"@HEADS", std::to_string(options.heads)},
                  {"@WIDTH", std::to_string(options.hidden_size / options.heads)}});
}

}  // namespace nmt
