#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/matrix.h"

namespace nmt {

enum class WeightType { kFloat32, kInt8 };

/// The largest magnitude of a weight and of an input of kInt8.
int largest_int8();

/// ‖w − ŵ‖ of each row of weight [O, I], where ŵ is its value in a PackedWeight of kInt8.
std::vector<float> int8_rounding(ConstMatrix weight);

/// The weight of a linear layer that never changes, packed once in the layout that products read
/// fastest. As 8-bit integers it has a scale for each output, and each row of the input gets one of
/// its own when it is multiplied.
class PackedWeight {
 public:
  /// weight [O, I]; copied.
  PackedWeight(ConstMatrix weight, WeightType type);
  ~PackedWeight();
  PackedWeight(PackedWeight&&) noexcept;
  PackedWeight& operator=(PackedWeight&&) noexcept;

  int64_t inputs() const;
  int64_t outputs() const;

  /// y [N, O] = x [N, I] Wᵀ. A row of y depends on the same row of x alone, to the last bit,
  /// whatever N is and with either type. Any number of threads at once.
  void multiply(ConstMatrix x, Matrix y) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nmt
