#include "fused/local_window.h"

#include <algorithm>
#include <cmath>

#include "attentions/attention_kind.h"
#include "kernels/matrix_product.h"

namespace nmt {
namespace {

constexpr auto kHalfWidth = static_cast<float>(kLocalHalfWidth);
constexpr auto kVariance = static_cast<float>(kLocalDeviation * kLocalDeviation);

struct Window {
  int64_t first = 0;  // from 0
  int64_t size = 0;
};

/// If `center` is NaN, because training diverged, the window is the whole sentence, as in the plain
/// module.
Window window_around(float center, int64_t length) {
  const auto begin = std::max(0.0F, std::ceil(center - kHalfWidth) - 1);
  const auto end = std::min(static_cast<float>(length), std::floor(center + kHalfWidth));
  const auto first = static_cast<int64_t>(begin);
  return {first, static_cast<int64_t>(end) - first};
}

}  // namespace

float local_center(ConstMatrix center_weight, const float* x, int64_t source_length) {
  const float energy = tanh_energy(center_weight.columns, center_weight.data, x);
  return static_cast<float>(source_length) / (1.0F + std::exp(-energy));
}

AttendedRows local_window(AttendedRows source, float center, float* factors) {
  const auto window = window_around(center, source.size);
  for (int64_t i = 0; i < window.size; ++i) {
    const float distance = static_cast<float>(window.first + i + 1) - center;
    factors[i] = std::exp(-distance * distance / (2 * kVariance));
  }
  return {source.rows + window.first, window.size, factors};
}

AttendedRows monotonic_window(AttendedRows source, int64_t step) {
  const auto center = static_cast<float>(std::min(step + 1, source.size));
  const auto window = window_around(center, source.size);
  return {source.rows + window.first, window.size};
}

void FusedLocalWindow::begin(const PackedBatch& batch) {
  batch_ = &batch;
  const int64_t rows = batch.target.num_rows();
  const int64_t width = center_.value.columns;
  hidden_.take(rows, width);
  hidden_gradient_.take(rows, width);
  center_gradient_.take_zeros(1, width);
  centers_.take(rows, 1);
  factors_.take(rows, batch.source.num_steps());
  factor_gradient_.take(1, batch.source.num_steps());
}

void FusedLocalWindow::forward(int64_t first, ConstMatrix decoder_states) {
  const auto hidden = hidden_.matrix().row_range(first, decoder_states.rows);
  linear(decoder_states, position_, hidden, WriteMode::kOverwrite);
  for (int64_t row = first; row < first + decoder_states.rows; ++row) {
    const auto source = batch_->attended(row);
    float* center = centers_.matrix().row(row);
    *center = local_center(center_.value, hidden_.matrix().row(row), source.size);
    local_window(source, *center, factors_.matrix().row(row));
  }
}

AttendedRows FusedLocalWindow::attended(int64_t row) const {
  const auto source = batch_->attended(row);
  const auto window = window_around(*centers_.matrix().row(row), source.size);
  return {source.rows + window.first, window.size, factors_.matrix().row(row)};
}

void FusedLocalWindow::backward_row(int64_t row) {
  const auto length = batch_->attended(row).size;
  const float center = *centers_.matrix().row(row);
  const auto window = window_around(center, length);
  float of_center = 0.0F;  // df_s / dp = f_s (s − p) / σ²
  for (int64_t i = 0; i < window.size; ++i) {
    of_center += factor_gradient()[i] * (static_cast<float>(window.first + i + 1) - center);
  }
  const float slope = center * (1.0F - center / static_cast<float>(length));  // of S sigmoid(·)
  tanh_energy_backward(center_.value.columns, of_center / kVariance * slope, center_.value.data,
                       hidden_.matrix().row(row), hidden_gradient_.matrix().row(row),
                       center_gradient_.matrix().data);
}

void FusedLocalWindow::backward(int64_t first, Matrix decoder_gradient) {
  linear_backward(hidden_gradient_.matrix().row_range(first, decoder_gradient.rows), position_,
                  decoder_gradient, WriteMode::kAccumulate);
}

void FusedLocalWindow::finish(ConstMatrix decoder_states, WeightGradients& gradients) {
  gradients.add_product(position_.gradient, hidden_gradient_.matrix(), decoder_states);
  gradients.add_column_sums(center_.gradient, center_gradient_.matrix());
}

}  // namespace nmt
