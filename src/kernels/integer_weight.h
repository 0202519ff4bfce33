#pragma once

#include <cstdint>
#include <vector>

#include "kernels/matrix.h"

namespace nmt {

/// A PackedWeight of 8-bit integers. Each output has a scale, and so has each row of an input when
/// it is multiplied. No sum can overflow.
class IntegerWeight {
 public:
  /// The largest magnitude of a weight and of an input on this processor: 127 with VNNI, else 63,
  /// because the products of four bytes are then added in 16 bits.
  static int largest_byte();

  /// weight [O, I]; copied. Of 127 only where largest_byte() is 127.
  explicit IntegerWeight(ConstMatrix weight, int largest = largest_byte());

  /// y [N, O] = x [N, I] Wᵀ. Sums of integers are exact, so no row depends on another.
  void multiply(ConstMatrix x, Matrix y) const;

 private:
  int64_t inputs_;
  int largest_;
  int64_t num_units_;            // of 32 bits in a row: four bytes
  std::vector<int32_t> panels_;  // [O / 16, units, 16]
  std::vector<float> scales_;    // [O], padded to whole panels
  std::vector<int32_t> shifts_;  // likewise: Σ (largest + 1) byte, which the shift of inputs adds
};

}  // namespace nmt
