#include "fused/own_tokens.h"

#include <algorithm>
#include <limits>

#include "kernels/top_tokens.h"

namespace nmt {

OwnTokens::OwnTokens(const ParameterTable& parameters)
    : weight_(parameters.at("generator.output.weight")),
      bias_(parameters.at("generator.output.bias")) {}

const std::vector<int64_t>& OwnTokens::likeliest(ConstMatrix attentional_hidden,
                                                 const std::vector<int64_t>& rows) {
  const auto count = static_cast<int64_t>(rows.size());
  const auto states = states_.take(count, attentional_hidden.columns);
  for (int64_t i = 0; i < count; ++i) {
    std::copy_n(attentional_hidden.row(rows[static_cast<size_t>(i)]), states.columns,
                states.row(i));
  }
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
