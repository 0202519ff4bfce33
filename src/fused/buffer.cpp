#include "fused/buffer.h"

#include <algorithm>
#include <new>

namespace nmt {
namespace {

constexpr std::align_val_t kAlignment{64};  // a cache line, and the widest vector

}  // namespace

void Buffer::Free::operator()(float* memory) const { ::operator delete(memory, kAlignment); }

Matrix Buffer::take(int64_t rows, int64_t columns) {
  const int64_t wanted = rows * columns;
  if (wanted > capacity_) {
    memory_.reset();  // first, so that both are never there at once
    capacity_ = 0;
    memory_.reset(static_cast<float*>(
        ::operator new(static_cast<size_t>(wanted) * sizeof(float), kAlignment)));
    capacity_ = wanted;
  }
  matrix_ = {memory_.get(), rows, columns};
  return matrix_;
}

Matrix Buffer::take_zeros(int64_t rows, int64_t columns) {
  take(rows, columns);
  std::fill(matrix_.data, matrix_.data + rows * columns, 0.0F);
  return matrix_;
}

}  // namespace nmt
