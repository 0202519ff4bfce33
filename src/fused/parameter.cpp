#include "fused/parameter.h"

namespace nmt {

Parameter Parameter::inputs(int64_t first, int64_t count) const {
  Parameter part;
  part.value = value.column_range(first, count);
  part.gradient = gradient.column_range(first, count);
  if (transpose.data != nullptr) part.transpose = transpose.row_range(first, count);
  if (rounded.data != nullptr) part.rounded = rounded.column_range(first, count);
  return part;
}

Parameter Parameter::outputs(int64_t first, int64_t count) const {
  Parameter part;
  part.value = value.row_range(first, count);
  part.gradient = gradient.row_range(first, count);
  if (transpose.data != nullptr) part.transpose = transpose.column_range(first, count);
  if (rounded.data != nullptr) part.rounded = rounded.row_range(first, count);
  return part;
}

void linear(const Factor& x, const Parameter& weight, Matrix y, WriteMode mode) {
  if (weight.rounded.data != nullptr) {
    multiply_by_transpose(x, weight.rounded, y, mode);
  } else if (weight.transpose.data != nullptr) {
    multiply(x, weight.transpose, y, mode);
  } else {
    multiply_by_transpose(x, weight.value, y, mode);
  }
}

void linear_backward(const Factor& dy, const Parameter& weight, Matrix dx, WriteMode mode) {
  if (weight.rounded.data != nullptr) {
    multiply(dy, weight.rounded, dx, mode);
  } else {
    multiply(dy, weight.value, dx, mode);
  }
}

}  // namespace nmt
