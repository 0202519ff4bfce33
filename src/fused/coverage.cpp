#include "fused/coverage.h"

namespace nmt {

void FusedCoverage::begin(const PackedBatch& batch) {
  batch_ = &batch;
  const int64_t width = weight_.value.columns;
  folded_weight_ = weight_.value;
  if (folded_.exists()) {
    const auto weight = folded_buffer_.take(1, width);
    linear_backward(weight_.value, folded_, weight, WriteMode::kOverwrite);
    folded_weight_ = weight;
  }
  folded_gradient_.take_zeros(1, width);
  coverage_.take(batch.target.num_rows(), batch.source.num_steps());
  gradient_.take_zeros(batch.target.num_rows(), batch.source.num_steps());
}

void FusedCoverage::forward(int64_t first, int64_t rows, ConstMatrix weights) {
  for (int64_t row = first; row < first + rows; ++row) {
    const int64_t size = batch_->attended(row).size;
    const int64_t parent = batch_->parents[static_cast<size_t>(row)];
    float* to = coverage_.matrix().row(row);
    for (int64_t i = 0; i < size; ++i) {
      to[i] = parent < 0 ? 0.0F : of(parent)[i] + weights.row(parent)[i];
    }
  }
}

void FusedCoverage::backward_row(int64_t row) {
  const int64_t parent = batch_->parents[static_cast<size_t>(row)];
  if (parent < 0) return;
  const float* from = gradient_.matrix().row(row);
  float* to = gradient_.matrix().row(parent);
  for (int64_t i = 0; i < batch_->attended(row).size; ++i) to[i] += from[i];
}

void FusedCoverage::finish(WeightGradients& gradients) {
  const auto of_folded = folded_gradient_.matrix();
  if (!folded_.exists()) return gradients.add_column_sums(weight_.gradient, of_folded);
  gradients.add_product(folded_.gradient, weight_.value, of_folded);
  const auto of_weight = weight_gradient_.take(1, of_folded.columns);
  linear(of_folded, folded_, of_weight, WriteMode::kOverwrite);
  gradients.add_column_sums(weight_.gradient, of_weight);
}

}  // namespace nmt
