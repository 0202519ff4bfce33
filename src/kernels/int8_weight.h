#pragma once

#include <cstdint>
#include <memory>

#include "kernels/matrix.h"

namespace nmt {

/// A PackedWeight of 8-bit integers, multiplied by oneDNN: see has_int8_products().
class Int8Weight {
 public:
  /// weight [O, I]; copied.
  explicit Int8Weight(ConstMatrix weight);
  ~Int8Weight();

  /// y [N, O] = x [N, I] Wᵀ. Sums of integers are exact, so no row depends on another.
  void multiply(ConstMatrix x, Matrix y) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nmt
