#include "fused/generator_loss.h"

#include <algorithm>

#include "kernels/elementwise.h"
#include "kernels/matrix_product.h"
#include "kernels/token_loss_row.h"

namespace nmt {
namespace {

constexpr int64_t kBlockFloats = int64_t{3} << 20;  // 12 MiB of logits
constexpr int64_t kFewestRows = 64;                 // fewer make the products thin

/// Blocks as large as may be and of equal size: a thin one at the end would be slow.
int64_t rows_of_block(int64_t rows, int64_t vocabulary_size) {
  const int64_t largest = std::max(kFewestRows, kBlockFloats / vocabulary_size);
  const int64_t blocks = (rows + largest - 1) / largest;
  return (rows + blocks - 1) / blocks;
}

}  // namespace

LossGradient FusedGeneratorLoss::run(ConstMatrix states, const std::vector<int64_t>& targets,
                                     double label_smoothing, double scale) {
  const int64_t vocabulary_size = weight_.value.rows;
  const int64_t block_rows = rows_of_block(states.rows, vocabulary_size);
  LossGradient result;
  result.states = states_gradient_.take(states.rows, states.columns);
  for (int64_t first = 0; first < states.rows; first += block_rows) {
    const int64_t rows = std::min(block_rows, states.rows - first);
    const auto block = states.row_range(first, rows);
    const auto logits = logits_.take(rows, vocabulary_size);
    multiply_by_transpose(block, weight_.value, logits, Into::kReplace);
    for (int64_t row = 0; row < rows; ++row) {
      result.negative_log_likelihood +=
          token_loss_row(logits.row(row), bias_.value.data, vocabulary_size,
                         targets[static_cast<size_t>(first + row)],
                         static_cast<float>(label_smoothing), static_cast<float>(scale));
    }
    multiply(logits, weight_.value, result.states.row_range(first, rows), Into::kReplace);
    multiply_transpose_by(logits, block, weight_.gradient, Into::kAdd);
    add_column_sums(logits, bias_.gradient.data);
  }
  return result;
}

}  // namespace nmt
