#pragma once

#include <cstdint>
#include <vector>

#include "kernels/matrix.h"

namespace nmt {

enum class IntegerType { kInt8, kInt16 };

/// A PackedWeight of integers for processors without VNNI, or of more bits than VNNI multiplies.
/// Each output has a scale, and so has each row of an input when it is multiplied. No sum can
/// overflow.
class IntegerWeight {
 public:
  /// The largest magnitude of a weight and of an input in 8 bits: the products of four bytes are
  /// added in 16 bits.
  static constexpr int kLargestByte = 63;

  /// weight [O, I]; copied.
  IntegerWeight(ConstMatrix weight, IntegerType type);

  int64_t outputs() const { return outputs_; }

  /// y [N, C] = x [N, I] Wᵀ, outputs [first, first + C); first is a multiple of 16. Sums of
  /// integers are exact, so no row depends on another.
  void multiply(ConstMatrix x, int64_t first, Matrix y) const;

  /// At least ‖w − ŵ‖ of every output, and ‖ŵ‖.
  float largest_rounding() const { return largest_rounding_; }
  float largest_norm() const { return largest_norm_; }

  /// At least ‖x − x̂‖ of a row of inputs.
  float input_rounding(const float* x) const;

 private:
  template <typename Integer>
  void pack(ConstMatrix weight);
  int largest_input() const;

  IntegerType type_;
  int64_t inputs_;
  int64_t outputs_;
  int64_t num_units_;            // of 32 bits in a row: four bytes or two 16-bit integers
  std::vector<int32_t> panels_;  // [O / 16, units, 16]
  std::vector<float> scales_;    // [O], padded to whole panels
  std::vector<int32_t> shifts_;  // likewise; see dequantize()
  float largest_rounding_ = 0.0F;
  float largest_norm_ = 0.0F;
};

}  // namespace nmt
