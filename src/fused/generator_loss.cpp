#include "fused/generator_loss.h"

#include <algorithm>

#include "kernels/bfloat16.h"
#include "kernels/token_loss_row.h"

namespace nmt {
namespace {

constexpr int64_t kBlockFloats = int64_t{3} << 20;  // 12 MiB of logits
constexpr int64_t kMinRows = 64;                    // fewer make the products thin

}  // namespace

int64_t FusedGeneratorLoss::num_blocks(int64_t rows) const {
  const int64_t largest = std::max(kMinRows, kBlockFloats / weight_.value.rows);
  return (rows + largest - 1) / largest;
}

void FusedGeneratorLoss::begin(ConstMatrix states, const std::vector<int64_t>& targets) {
  states_ = states;
  targets_ = &targets;
  states_gradient_.take(states.rows, states.columns);
}

double FusedGeneratorLoss::run_block(int64_t block, int64_t blocks, double label_smoothing,
                                     double scale, WeightGradients& gradients) {
  const int64_t vocabulary_size = weight_.value.rows;
  const int64_t first = states_.rows * block / blocks;
  const int64_t rows = states_.rows * (block + 1) / blocks - first;
  const auto states = states_.row_range(first, rows);
  const auto logits = logits_.take(rows, vocabulary_size);
  linear(states, weight_, logits, WriteMode::kOverwrite);
  double loss = 0.0;
  for (int64_t row = 0; row < rows; ++row) {
    loss += token_loss_row(logits.row(row), bias_.value.data, vocabulary_size,
                           (*targets_)[static_cast<size_t>(first + row)],
                           static_cast<float>(label_smoothing), static_cast<float>(scale));
  }
  const auto gradient = as_factor(logits);
  linear_backward(gradient, weight_, states_gradient_.matrix().row_range(first, rows),
                  WriteMode::kOverwrite);
  gradients.add_product(weight_.gradient, gradient, states);
  gradients.add_column_sums(bias_.gradient, logits);
  return loss;
}

/// Two products take the block: where their factors are rounded, once is enough.
Factor FusedGeneratorLoss::as_factor(ConstMatrix block) {
  if (weight_.rounded.data == nullptr) return block;
  return rounded(block, rounded_);
}

}  // namespace nmt
