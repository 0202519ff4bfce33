#include "fused/own_tokens.h"

#include "kernels/elementwise.h"
#include "kernels/top_tokens.h"

namespace nmt {

OwnTokens::OwnTokens(const ParameterTable& parameters)
    : weight_(parameters.at("generator.output.weight")),
      bias_(parameters.at("generator.output.bias")) {}

const std::vector<int64_t>& OwnTokens::inputs_of(const PackedBatch& share,
                                                 const std::vector<int64_t>& rows,
                                                 ConstMatrix attentional_hidden) {
  parents_.clear();
  for (const int64_t row : rows) parents_.push_back(share.parents[static_cast<size_t>(row)]);
  const auto count = static_cast<int64_t>(rows.size());
  const auto states = states_.take(count, attentional_hidden.columns);
  gather_rows(attentional_hidden, parents_, states);
  const auto logits = logits_.take(count, weight_.value.rows);
  linear(states, weight_, logits, WriteMode::kOverwrite);
  tokens_.clear();
  for (int64_t i = 0; i < count; ++i) {
    TokenLogit best{0, kMinusInfinity};
    add_to_best(logits.row(i), bias_.value.data, logits.columns, 0, best);
    tokens_.push_back(best.token);
  }
  return tokens_;
}

}  // namespace nmt
