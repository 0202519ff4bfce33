#pragma once

#include <cstdint>
#include <memory>

#include "kernels/matrix.h"

namespace nmt {

/// Whether this processor has VNNI, and oneDNN to use it.
bool has_vnni();

/// A PackedWeight of 8-bit integers on a processor with VNNI, multiplied by oneDNN.
class VnniWeight {
 public:
  /// The largest magnitude of a weight and of an input.
  static constexpr int kLargest = 127;

  /// weight [O, I]; copied.
  explicit VnniWeight(ConstMatrix weight);
  ~VnniWeight();

  /// y [N, O] = x [N, I] Wᵀ. Sums of integers are exact, so no row depends on another.
  void multiply(ConstMatrix x, Matrix y) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nmt
