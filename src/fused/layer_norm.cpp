#include "fused/layer_norm.h"

#include "kernels/layer_norm.h"

namespace nmt {

void FusedLayerNorm::begin(int64_t rows) {
  const int64_t width = weight_.value.columns;
  normalized_.take(rows, width);
  scales_.take(1, rows);
  weight_gradients_.take_zeros(2, width);
}

void FusedLayerNorm::forward(int64_t first, ConstMatrix x, Matrix y) {
  layer_norm_forward(x, weight_.value.data, bias_.value.data,
                     normalized_.matrix().row_range(first, x.rows), scales_.matrix().data + first,
                     y);
}

void FusedLayerNorm::backward(int64_t first, Matrix gradient) {
  const auto& sums = weight_gradients_.matrix();
  layer_norm_backward(normalized_.matrix().row_range(first, gradient.rows),
                      scales_.matrix().data + first, weight_.value.data, gradient, sums.row(0),
                      sums.row(1));
}

void FusedLayerNorm::add_weight_gradients(WeightGradients& gradients) const {
  gradients.add_column_sums(weight_.gradient, weight_gradients_.matrix().row_range(0, 1));
  if (!bias_.exists()) return;
  gradients.add_column_sums(bias_.gradient, weight_gradients_.matrix().row_range(1, 1));
}

void InferenceLayerNorm::apply(ConstMatrix x, Matrix y) const { layer_norm(x, weight_, bias_, y); }

}  // namespace nmt
