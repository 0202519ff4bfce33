#include "fused/own_tokens.h"

#include <limits>

#include "kernels/elementwise.h"
#include "kernels/top_tokens.h"

namespace nmt {

OwnTokens::OwnTokens(const ParameterTable& parameters)
    : weight_(parameters.at("generator.output.weight")),
      bias_(parameters.at("generator.output.bias")) {}

const std::vector<int64_t>& OwnTokens::likeliest(ConstMatrix attentional_hidden,
                                                 const std::vector<int64_t>& rows) {
  const auto count = static_cast<int64_t>(rows.size());
  const auto states = states_.take(count, attentional_hidden.columns);
  gather_rows(attentional_hidden, rows, states);
  const auto logits = logits_.take(count, weight_.value.rows);
  linear(states, weight_, logits, WriteMode::kOverwrite);
  tokens_.clear();
  for (int64_t i = 0; i < count; ++i) {
    TokenLogit best{0, -std::numeric_limits<float>::infinity()};
    add_to_best(logits.row(i), bias_.value.data, logits.columns, 0, best);
    tokens_.push_back(best.token);
  }
  return tokens_;
}

}  // namespace nmt
