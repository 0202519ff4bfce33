#include "kernels/packed_weight.h"

#include <cmath>
#include <optional>
#include <vector>

#include "kernels/integer_weight.h"
#include "kernels/matrix_product.h"
#include "kernels/panel_product.h"
#include "kernels/quantize.h"

namespace nmt {

int largest_int8() { return IntegerWeight::largest_byte(); }

std::vector<float> int8_rounding(ConstMatrix weight) {
  std::vector<int8_t> bytes(static_cast<size_t>(weight.columns));
  std::vector<float> norms;
  for (int64_t row = 0; row < weight.rows; ++row) {
    const float scale = quantize_row(weight.row(row), weight.columns, largest_int8(), bytes.data());
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

struct PackedWeight::Impl {
  Impl(ConstMatrix weight, WeightType type) : inputs(weight.columns), outputs(weight.rows) {
    if (type == WeightType::kFloat32) {
      panels = pack_panels(weight);
    } else {
      integers.emplace(weight);
    }
  }

  int64_t inputs;
  int64_t outputs;
  std::vector<float> panels;              // of kFloat32
  std::optional<IntegerWeight> integers;  // of kInt8
};

PackedWeight::PackedWeight(ConstMatrix weight, WeightType type)
    : impl_(std::make_unique<Impl>(weight, type)) {}
PackedWeight::~PackedWeight() = default;
PackedWeight::PackedWeight(PackedWeight&&) noexcept = default;
PackedWeight& PackedWeight::operator=(PackedWeight&&) noexcept = default;

int64_t PackedWeight::inputs() const { return impl_->inputs; }
int64_t PackedWeight::outputs() const { return impl_->outputs; }

void PackedWeight::multiply(ConstMatrix x, Matrix y) const {
  record_product({{'N', 'T', x.rows, outputs(), inputs()}, false, this});
  if (impl_->integers) {
    impl_->integers->multiply(x, y);
  } else {
    multiply_panels(x, impl_->panels.data(), y);
  }
}

}  // namespace nmt
