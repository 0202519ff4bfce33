#pragma once

#include <vector>

#include "fused/buffer.h"
#include "fused/parameter.h"

namespace nmt {

/// Copies of weights in the layout that products read fastest, refreshed after every update and
/// shared by all threads. In bfloat16: all weights, rounded. In float32: transposes of the weights
/// that every step multiplies by, since products of few rows with a transposed weight are 25 %
/// slower.
class WeightCopies {
 public:
  /// Adds the copies to the table's entries; refresh() fills them.
  WeightCopies(ProductPrecision precision, ParameterTable& parameters);

  /// Refreshes one of `members` equal parts of every copy.
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
