#include "fused/step_logits.h"

#include <algorithm>

namespace nmt {

constexpr int64_t kBlockTokens = PackedOutputLayer::kBlockTokens;

void StepLogits::compute(const PackedOutputLayer& output, ConstMatrix attentional_hidden,
                         int64_t num_best, std::vector<TopTokens>& top) {
  logits_.take(output.vocabulary_size(), attentional_hidden.rows);
  top.resize(static_cast<size_t>(attentional_hidden.rows));
  for (auto& row : top) row.clear();
  for (size_t number = 0; number < output.blocks().size(); ++number) {
    const int64_t first = static_cast<int64_t>(number) * kBlockTokens;
    const auto logits = block(number);
    output.blocks()[number].multiply(attentional_hidden, logits);
    for (int64_t row = 0; row < logits.rows; ++row) {
      add_to_top(logits.row(row), output.bias() + first, logits.columns,
                 static_cast<int32_t>(first), num_best, top[static_cast<size_t>(row)]);
    }
  }
}

Matrix StepLogits::block(size_t number) const {
  const int64_t first = static_cast<int64_t>(number) * kBlockTokens;
  const auto& all = logits_.matrix();
  return {all.row(first), all.columns, std::min(kBlockTokens, all.rows - first)};
}

float& StepLogits::at(int64_t row, int32_t token) const {
  return block(static_cast<size_t>(token / kBlockTokens)).row(row)[token % kBlockTokens];
}

void StepLogits::copy(int64_t row, float* to) const {
  for (int64_t first = 0; first < logits_.matrix().rows; first += kBlockTokens) {
    const auto from = block(static_cast<size_t>(first / kBlockTokens));
    to = std::copy_n(from.row(row), from.columns, to);
  }
}

}  // namespace nmt
