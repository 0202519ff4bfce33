#pragma once

#include <cstdint>

namespace nmt {

/// A view of a row-major matrix; the stride may exceed the number of columns.
template <typename Number>
struct MatrixView {
  Number* data = nullptr;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t stride = 0;  // elements from one row to the next

  MatrixView() = default;
  MatrixView(Number* first, int64_t num_rows, int64_t num_columns)
      : MatrixView(first, num_rows, num_columns, num_columns) {}
  MatrixView(Number* first, int64_t num_rows, int64_t num_columns, int64_t row_stride)
      : data(first), rows(num_rows), columns(num_columns), stride(row_stride) {}

  operator MatrixView<const Number>() const { return {data, rows, columns, stride}; }

  Number* row(int64_t index) const { return data + index * stride; }

  MatrixView row_range(int64_t first, int64_t count) const {
    return {row(first), count, columns, stride};
  }
  MatrixView column_range(int64_t first, int64_t count) const {
    return {data + first, rows, count, stride};
  }
};

using Matrix = MatrixView<float>;
using ConstMatrix = MatrixView<const float>;

/// The upper halves of float32 numbers: sign, 8 bits of exponent, 7 of the fraction.
using Bfloat16 = uint16_t;
using Bfloat16Matrix = MatrixView<Bfloat16>;
using ConstBfloat16Matrix = MatrixView<const Bfloat16>;

}  // namespace nmt
