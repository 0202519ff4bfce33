#include "kernels/packed_weight.h"

#include <cmath>

#include "kernels/matrix_product.h"
#include "kernels/panel_product.h"
#include "kernels/quantize.h"

namespace nmt {

std::vector<float> int8_rounding(ConstMatrix weight) {
  std::vector<int8_t> bytes(static_cast<size_t>(weight.columns));
  std::vector<float> norms;
  for (int64_t row = 0; row < weight.rows; ++row) {
    const float scale =
        quantize_row(weight.row(row), weight.columns, IntegerWeight::largest_byte(), bytes.data());
    double sum = 0;
    for (int64_t i = 0; i < weight.columns; ++i) {
      const double wrong =
          double{weight.row(row)[i]} - double{scale} * bytes[static_cast<size_t>(i)];
      sum += wrong * wrong;
    }
    norms.push_back(static_cast<float>(std::sqrt(sum)));
  }
  return norms;
}

PackedWeight::PackedWeight(ConstMatrix weight, WeightType type)
    : inputs_(weight.columns), outputs_(weight.rows) {
  if (type == WeightType::kFloat32) {
    panels_ = pack_panels(weight);
  } else {
    integers_.emplace(weight);
  }
}

void PackedWeight::multiply(ConstMatrix x, Matrix y) const {
  record_product({{'N', 'T', x.rows, outputs(), inputs()}, false, this});
  if (integers_) {
    integers_->multiply(x, y);
  } else {
    multiply_panels(x, panels_.data(), y);
  }
}

}  // namespace nmt
