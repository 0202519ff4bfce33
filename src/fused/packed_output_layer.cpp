#include "fused/packed_output_layer.h"

#include <algorithm>

namespace nmt {

PackedOutputLayer::PackedOutputLayer(ConstMatrix weight, const float* bias, WeightType type)
    : weight_(weight), bias_(bias), has_shortlist_(type == WeightType::kFloat32) {
  for (int64_t first = 0; first < weight.rows; first += kBlockTokens) {
    const int64_t count = std::min(kBlockTokens, weight.rows - first);
    blocks_.emplace_back(weight.row_range(first, count), type);
  }
}

const Int8Shortlist* PackedOutputLayer::shortlist() const {
  if (!has_shortlist_) return nullptr;
  std::call_once(shortlist_once_,
                 [this] { shortlist_ = std::make_unique<Int8Shortlist>(weight_); });
  return shortlist_.get();
}

}  // namespace nmt
