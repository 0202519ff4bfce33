#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "kernels/matrix.h"
#include "kernels/matrix_product.h"

namespace nmt {

/// Precision of the factors of products; sums, states and updates are always float32.
enum class ProductPrecision { kFloat32, kBfloat16 };

/// A parameter and the memory of its gradient. A bias is a single row. A weight may have copies in
/// the layout that products read fastest (fused/weight_copies.h).
struct Parameter {
  ConstMatrix value;            // [O, I]
  Matrix gradient;              // [O, I]
  ConstMatrix transpose;        // [I, O]  none: no data
  ConstBfloat16Matrix rounded;  // [O, I]  none: no data

  bool exists() const { return value.data != nullptr; }

  /// The columns of a weight for some of its inputs.
  Parameter inputs(int64_t first, int64_t count) const;
  /// The rows of a weight for some of its outputs.
  Parameter outputs(int64_t first, int64_t count) const;
};

/// Parameters by their state_dict names.
using ParameterTable = std::map<std::string, Parameter>;

/// y (+)= x Wᵀ        x [N, I], y [N, O]
void linear(const Factor& x, const Parameter& weight, Matrix y, WriteMode mode);

/// dx (+)= dy W       dy [N, O], dx [N, I]
void linear_backward(const Factor& dy, const Parameter& weight, Matrix dx, WriteMode mode);

}  // namespace nmt
