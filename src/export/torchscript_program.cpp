#include <spdlog/fmt/fmt.h>

#include "errors/error.h"
#include "export/torchscript_fragments.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

// decode/batch_search.cpp
constexpr char kGreedy[] = R"(
def greedy(self, source_ids: Tensor, source_lengths: Tensor, max_length: int = 512, max_length_ratio: float = 3.0) -> Tuple[Tensor, Tensor]:
    states, padding, state = self.encode(source_ids, source_lengths)
    by_ratio = (source_lengths.to(source_ids.device).double() * max_length_ratio + 10.0).long()
    limits = torch.clamp(by_ratio, None, max_length)
    never = torch.tensor([self.pad_id, self.unknown_id, self.bos_id], dtype=4, device=source_ids.device)
    previous = torch.full_like(limits, self.bos_id)
    ended = torch.zeros_like(limits, dtype=11)
    log_probabilities = torch.zeros_like(limits, dtype=7)
    chosen: List[Tensor] = []
    while not bool(torch.all(ended)):
        log_p, state, attention = self.step(previous, state, states, padding)
        allowed = torch.index_fill(log_p, 1, never, float("-inf"))
        previous = torch.masked_fill(torch.argmax(allowed, 1), limits <= len(chosen), self.eos_id)
        values = torch.gather(log_p, 1, previous.unsqueeze(1)).squeeze(1).double()
        log_probabilities = log_probabilities + torch.masked_fill(values, ended, 0.0)
        ended = torch.logical_or(ended, previous == self.eos_id)
        chosen.append(torch.masked_fill(previous, ended, self.pad_id))
    tokens = torch.stack(chosen, 1)
    return tokens.narrow(1, 0, len(chosen) - 1), log_probabilities
)";

Programs programs_of_kind(const Seq2SeqOptions& options) {
  switch (options.architecture) {
    case Architecture::kRecurrent:
      return recurrent_programs(options);
    case Architecture::kTransformer:
      return transformer_programs(options);
    case Architecture::kLanguageModel:
      break;
  }
  throw Error("a TorchScript file translates, and this is a language model; use --to safetensors");
}

}  // namespace

std::string fill_in(std::string text,
                    const std::vector<std::pair<std::string, std::string>>& replacements) {
  for (const auto& [name, value] : replacements) replace_all(text, name, value);
  return text;
}

std::string attention_program(const AttentionKind& kind, const Seq2SeqOptions& options) {
  // ScoredAttention::covered_scores
  const char* cover =
      R"(    keys = (keys.unsqueeze(1) + coverage.unsqueeze(3) * self.coverage.weight).flatten(0, 1)
    queries = queries.reshape([-1, 1, @HIDDEN])
)";
  const bool covers = options.coverage;
  return fill_in(kind.torchscript,
                 {{"@COVERAGE", covers ? ", coverage: Tensor" : ""},
                  {"@COVER", covers ? cover : ""},
                  {"@UNCOVER", covers ? "    scores = scores.view(coverage.size())\n" : ""},
                  {"@HIDDEN", std::to_string(options.hidden_size)},
                  {"@HEADS", std::to_string(options.heads)},
                  {"@WIDTH", std::to_string(options.hidden_size / options.heads)},
                  {"@TEMPERATURE", fmt::format("{:#}", options.attention_temperature)}});
}

Programs torchscript_programs(const Seq2SeqOptions& options) {
  auto programs = programs_of_kind(options);
  programs[""] += kGreedy;
  return programs;
}

}  // namespace nmt
