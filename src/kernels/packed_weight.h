#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/matrix.h"

namespace nmt {

enum class WeightType { kFloat32, kInt8 };

/// Whether the library multiplies 8-bit integers.
bool has_int8_products();

/// ‖w − ŵ‖ of each row of weight [O, I], where ŵ is what a PackedWeight of kInt8 has for it.
std::vector<float> int8_rounding(ConstMatrix weight);

/// The weight of a linear layer that never changes, laid out once for all as the library's product
/// likes it best. As 8-bit integers it has a scale for each output, and each row of the input gets
/// one of its own as it comes.
class PackedWeight {
 public:
  /// weight [O, I]; copied.
  PackedWeight(ConstMatrix weight, WeightType type);
  ~PackedWeight();
  PackedWeight(PackedWeight&&) noexcept;
  PackedWeight& operator=(PackedWeight&&) noexcept;

  int64_t inputs() const;
  int64_t outputs() const;

  /// y [N, O] = x [N, I] Wᵀ, rows without gaps. Any number of threads at once. Fastest for numbers
  /// of rows that padded_rows() gives: each other number makes the library generate code once.
  void multiply(ConstMatrix x, Matrix y) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The smallest number of rows from `rows` up that products should have.
inline int64_t padded_rows(int64_t rows) { return rows <= 4 ? rows : (rows + 7) / 8 * 8; }

}  // namespace nmt
