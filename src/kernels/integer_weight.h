#pragma once

#include <cstdint>
#include <vector>

#include "kernels/matrix.h"

namespace nmt {

/// The 8-bit form of a PackedWeight. Each output has a scale, and each input row gets one when it
/// is multiplied. No sum can overflow.
class IntegerWeight {
 public:
  /// The largest magnitude of a weight and of an input on this processor: 127 with VNNI, else 63,
  /// because the products of four bytes are then added in 16 bits.
  static int largest_byte();

  /// weight [O, I]; copied. `largest` may be 127 only if largest_byte() is 127.
  explicit IntegerWeight(ConstMatrix weight, int largest = largest_byte());

  /// y [N, O] = x [N, I] Wᵀ. Integer sums are exact, so a row's result does not depend on the other
  /// rows.
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
