#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/integer_weight.h"
#include "kernels/matrix.h"

namespace nmt {

enum class WeightType { kFloat32, kInt8 };

/// ‖w − ŵ‖ of each row of weight [O, I], where ŵ is the row as a PackedWeight of kInt8 stores it.
std::vector<float> int8_rounding(ConstMatrix weight);

/// A constant weight of a linear layer, packed once in the layout that products read fastest. With
/// kInt8 there is a scale for each output, and each input row gets its own when it is multiplied.
class PackedWeight {
 public:
  /// weight [O, I]; copied.
  PackedWeight(ConstMatrix weight, WeightType type);

  int64_t inputs() const { return inputs_; }
  int64_t outputs() const { return outputs_; }

  /// y [N, O] = x [N, I] Wᵀ. For both types and any N, row i of y depends, bit for bit, only on row
  /// i of x. Thread-safe.
  void multiply(ConstMatrix x, Matrix y) const;

 private:
  int64_t inputs_;
  int64_t outputs_;
  std::vector<float> panels_;              // of kFloat32
  std::optional<IntegerWeight> integers_;  // of kInt8
};

}  // namespace nmt
