#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/integer_weight.h"
#include "kernels/matrix.h"

namespace nmt {

enum class WeightType { kFloat32, kInt8 };

/// ‖w − ŵ‖ of each row of weight [O, I], where ŵ is its value in a PackedWeight of kInt8.
std::vector<float> int8_rounding(ConstMatrix weight);

/// The weight of a linear layer that never changes, packed once in the layout that products read
/// fastest. As 8-bit integers it has a scale for each output, and each row of the input gets one of
/// its own when it is multiplied.
class PackedWeight {
 public:
  /// weight [O, I]; copied.
  PackedWeight(ConstMatrix weight, WeightType type);

  int64_t inputs() const { return inputs_; }
  int64_t outputs() const { return outputs_; }

  /// y [N, O] = x [N, I] Wᵀ. A row of y depends on the same row of x alone, to the last bit,
  /// whatever N is and with either type. Any number of threads at once.
  void multiply(ConstMatrix x, Matrix y) const;

 private:
  int64_t inputs_;
  int64_t outputs_;
  std::vector<float> panels_;              // of kFloat32
  std::optional<IntegerWeight> integers_;  // of kInt8
};

}  // namespace nmt
