#include "decode/fused_scoring.h"

#include <algorithm>
#include <cstddef>

#include "decode/length_order.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

/// Scores the pairs at `places`, longest target first, by teacher forcing.
void score_together(TokenPredictor& predictor, const TokenLists& sources, const TokenLists& targets,
                    const std::vector<size_t>& places, std::vector<double>& scores) {
  SourceSentences sentences;
  for (const size_t place : places) sentences.push_back(&sources[place]);
  const auto memories = predictor.encode(sentences);
  const auto target = [&](size_t row) -> const auto& { return targets[places[row]]; };
  size_t open = places.size();  // the pairs that have a token at this step are the first ones
  for (size_t step = 0; open > 0; ++step) {
    std::vector<DecoderRow> rows(open);
    for (size_t row = 0; row < open; ++row) {
      const bool begins = step == 0;
      rows[row] = {memories[row].get(), begins ? DecoderRow::kBeginning : static_cast<int64_t>(row),
                   begins ? kBosId : target(row)[step - 1]};
    }
    predictor.step(rows, 1);
    for (size_t row = 0; row < open; ++row) {
      const int32_t token = step < target(row).size() ? target(row)[step] : kEosId;
      const auto at = static_cast<int64_t>(row);
      scores[places[row]] +=
          double{predictor.logit(at, token)} - double{predictor.top(at).log_denominator()};
    }
    while (open > 0 && target(open - 1).size() <= step) --open;
  }
}

}  // namespace

std::vector<double> fused_scores(const ModelEnsemble& models, const TokenLists& sources,
                                 const TokenLists& targets, int64_t batch_size, ThreadTeam& team) {
  std::vector<double> scores(targets.size());
  share_among_threads(longest_first(targets), team, [&](const auto& share) {
    const auto predictor = make_token_predictor(models);
    for (auto begin = share.begin(); begin != share.end();) {
      const auto end = begin + std::min<std::ptrdiff_t>(share.end() - begin, batch_size);
      score_together(*predictor, sources, targets, {begin, end}, scores);
      begin = end;
    }
  });
  return scores;
}

}  // namespace nmt
