#include "fused/embedding.h"

#include <algorithm>

namespace nmt {

ConstMatrix FusedEmbedding::forward(const std::vector<int64_t>& ids, const Dropout& dropout) {
  const auto num_rows = static_cast<int64_t>(ids.size());
  const int64_t width = weight_.value.columns;
  const auto output = output_.take(num_rows, width);
  for (int64_t row = 0; row < num_rows; ++row) {
    std::copy_n(weight_.value.row(ids[static_cast<size_t>(row)]), width, output.row(row));
  }
  dropout.apply_to_words(site_, output);
  dropout.apply(site_, 0, 0, output);
  return output;
}

void FusedEmbedding::backward(const std::vector<int64_t>& ids, const Dropout& dropout,
                              Matrix gradient, WeightGradients& gradients) const {
  dropout.apply(site_, 0, 0, gradient);
  dropout.apply_to_words(site_, gradient);
  gradients.add_rows(weight_.gradient, ids, gradient);
}

}  // namespace nmt
