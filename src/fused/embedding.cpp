#include "fused/embedding.h"

#include <algorithm>

#include "kernels/elementwise.h"

namespace nmt {

ConstMatrix FusedEmbedding::forward(const std::vector<int64_t>& ids, const Dropout& dropout) {
  const auto num_rows = static_cast<int64_t>(ids.size());
  const int64_t width = weight_.value.columns;
  const auto output = output_.take(num_rows, width);
  for (int64_t row = 0; row < num_rows; ++row) {
    std::copy_n(weight_.value.row(ids[static_cast<size_t>(row)]), width, output.row(row));
  }
  dropout.draw(site_, 0, num_rows, width, mask_);
  dropout.apply(mask_, 0, output);
  return output;
}

void FusedEmbedding::backward(const std::vector<int64_t>& ids, const Dropout& dropout,
                              Matrix gradient) {
  dropout.apply(mask_, 0, gradient);
  for (int64_t row = 0; row < gradient.rows; ++row) {
    add(gradient.row_range(row, 1), weight_.gradient.row_range(ids[static_cast<size_t>(row)], 1));
  }
}

}  // namespace nmt
