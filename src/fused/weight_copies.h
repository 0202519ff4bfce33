#pragma once

#include <vector>

#include "fused/buffer.h"
#include "fused/parameter.h"

namespace nmt {

/// What the factors of products are rounded to; sums, states and updates are float32 always.
enum class ProductPrecision { kFloat32, kBfloat16 };

/// Copies of weights as products like them best, made anew for every update and read by all
/// threads: in bfloat16 all weights, rounded; in float32 the transposes of those that every step
/// multiplies by, since few rows times a transposed weight run a quarter slower.
class WeightCopies {
 public:
  /// Adds places for the copies to the table's entries; what they hold comes with refresh().
  WeightCopies(ProductPrecision precision, ParameterTable& parameters);

  /// Makes one of `members` equal parts of every copy.
  void refresh(int member, int members);

 private:
  struct Copy {
    ConstMatrix value;
    Matrix transpose;
    Bfloat16Matrix rounded;
  };

  std::vector<Copy> copies_;
  std::vector<Buffer> memory_;
};

}  // namespace nmt
