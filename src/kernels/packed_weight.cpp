#include "kernels/packed_weight.h"

#include <cmath>
#include <optional>
#include <vector>

#include "kernels/int8_weight.h"
#include "kernels/matrix_product.h"
#include "kernels/panel_product.h"

namespace nmt {

struct PackedWeight::Impl {
  Impl(ConstMatrix weight, WeightType type) : inputs(weight.columns), outputs(weight.rows) {
    if (type == WeightType::kInt8) {
      int8.emplace(weight);
    } else {
      panels = pack_panels(weight);
    }
  }

  int64_t inputs;
  int64_t outputs;
  std::vector<float> panels;       // of kFloat32
  std::optional<Int8Weight> int8;  // of kInt8
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
  if (impl_->int8) {
    impl_->int8->multiply(x, y);
  } else {
    multiply_panels(x, impl_->panels.data(), y);
  }
}

}  // namespace nmt
