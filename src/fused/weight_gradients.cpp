#include "fused/weight_gradients.h"

#include "kernels/bfloat16.h"
#include "kernels/elementwise.h"
#include "kernels/part.h"

namespace nmt {

void WeightGradients::sum_part(int member, int members) const {
  for (const auto& product : products_) sum_part(product, member, members);
  for (const auto& [gradient, dy] : column_sums_) {
    const auto part = part_of(dy.columns, member, members);
    nmt::add_column_sums(dy.column_range(part.first, part.count), gradient.data + part.first);
  }
  for (const auto& [gradient, ids, dx] : rows_) {
    for (int64_t row = 0; row < dx.rows; ++row) {
      const int64_t id = (*ids)[static_cast<size_t>(row)];
      // Frequent tokens have adjacent ids, so ids are dealt out one by one.
      if (id % members == member) add(dx.row_range(row, 1), gradient.row_range(id, 1));
    }
  }
}

void WeightGradients::sum_part(const Product& product, int member, int members) const {
  const auto part = part_of(product.gradient.rows, member, members);
  const auto gradient = product.gradient.row_range(part.first, part.count);
  const auto dy = product.dy.column_range(part.first, part.count);
  if (precision_ == ProductPrecision::kBfloat16) {
    thread_local std::vector<Bfloat16> workspace;
    multiply_transpose_by(dy, rounded(product.x, workspace), gradient, WriteMode::kAccumulate);
  } else {
    multiply_transpose_by(dy, product.x, gradient, WriteMode::kAccumulate);
  }
}

void WeightGradients::clear() {
  products_.clear();
  column_sums_.clear();
  rows_.clear();
}

}  // namespace nmt
