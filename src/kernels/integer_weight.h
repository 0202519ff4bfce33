#pragma once

#include <cstdint>
#include <vector>

#include "kernels/matrix.h"

namespace nmt {

/// A PackedWeight of 8-bit integers for processors without VNNI. Each output has a scale, and so
/// has each row of an input when it is multiplied. No sum can overflow.
class IntegerWeight {
 public:
  /// The largest magnitude of a weight and of an input in 8 bits: the products of four bytes are
  /// added in 16 bits.
  static constexpr int kLargestByte = 63;

  /// weight [O, I]; copied.
  explicit IntegerWeight(ConstMatrix weight);

  /// y [N, O] = x [N, I] Wᵀ. Sums of integers are exact, so no row depends on another.
  void multiply(ConstMatrix x, Matrix y) const;

 private:
  int64_t inputs_;
  int64_t num_units_;            // of 32 bits in a row: four bytes
  std::vector<int32_t> panels_;  // [O / 16, units, 16]
  std::vector<float> scales_;    // [O], padded to whole panels
  std::vector<int32_t> shifts_;  // likewise; see dequantize()
};

}  // namespace nmt
