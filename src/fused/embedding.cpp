#include "fused/embedding.h"

#include "kernels/elementwise.h"

namespace nmt {

ConstMatrix FusedEmbedding::forward(const std::vector<int64_t>& ids, const Dropout& dropout) {
  dropout_ = dropout;
  output_.take(static_cast<int64_t>(ids.size()), weight_.value.columns);
  embed(0, ids);
  return output_.matrix();
}

void FusedEmbedding::embed(int64_t first, const std::vector<int64_t>& ids) {
  const auto output = output_.matrix().row_range(first, static_cast<int64_t>(ids.size()));
  gather_rows(weight_.value, ids, output);
  dropout_.apply_to_words(site_, first, output);
  dropout_.apply(site_, 0, first, output);
}

void FusedEmbedding::backward(const std::vector<int64_t>& ids, Matrix gradient,
                              WeightGradients& gradients) const {
  dropout_.apply(site_, 0, 0, gradient);
  dropout_.apply_to_words(site_, 0, gradient);
  gradients.add_rows(weight_.gradient, ids, gradient);
}

}  // namespace nmt
