#pragma once

#include <cstdint>
#include <memory>

#include "kernels/matrix.h"

namespace nmt {

/// Memory that is reused for every batch, which avoids page faults. Grows, never shrinks; take()
/// discards the contents, extend() keeps them.
class Buffer {
 public:
  /// A matrix of unspecified values; valid until the next call.
  Matrix take(int64_t rows, int64_t columns);

  /// A matrix of zeros.
  Matrix take_zeros(int64_t rows, int64_t columns);

  /// The matrix taken last, extended to `rows`; the new rows have unspecified values. Valid until
  /// the next call.
  Matrix extend(int64_t rows);

  /// The matrix taken last.
  const Matrix& matrix() const { return matrix_; }

 private:
  struct Free {
    void operator()(float* memory) const;
  };
  std::unique_ptr<float, Free> memory_;
  int64_t capacity_ = 0;  // floats
  Matrix matrix_;
};

}  // namespace nmt
