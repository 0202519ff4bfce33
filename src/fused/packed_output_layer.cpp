#include "fused/packed_output_layer.h"

#include <algorithm>

namespace nmt {

PackedOutputLayer::PackedOutputLayer(ConstMatrix weight, const float* bias, WeightType type)
    : weight_(weight), bias_(bias), is_float_(type == WeightType::kFloat32) {
  for (int64_t first = 0; first < weight.rows; first += kBlockTokens) {
    const int64_t count = std::min(kBlockTokens, weight.rows - first);
    blocks_.emplace_back(weight.row_range(first, count), type);
  }
}

const BoundedArgmax* PackedOutputLayer::argmax() const {
  if (!is_float_) return nullptr;
  std::call_once(argmax_once_, [this] { argmax_ = std::make_unique<BoundedArgmax>(weight_); });
  return argmax_.get();
}

void PackedOutputLayer::multiply_selected(ConstMatrix x,
                                          const std::vector<OutputSelection>& selections,
                                          Matrix y) const {
  if (is_float_) return nmt::multiply_selected(x, weight_, selections, y);
  std::call_once(rows_once_, [this] { rows_ = std::make_unique<IntegerRows>(weight_); });
  rows_->multiply(x, selections, y);
}

}  // namespace nmt
