#include "fused/embedding.h"

#include "kernels/elementwise.h"

namespace nmt {

ConstMatrix FusedEmbedding::forward(const std::vector<int64_t>& ids, const Dropout& dropout) {
  output_.take(static_cast<int64_t>(ids.size()), weight_.value.columns);
  embed(0, ids, dropout);
  return output_.matrix();
}

void FusedEmbedding::embed(int64_t first, const std::vector<int64_t>& ids, const Dropout& dropout) {
  const auto output = output_.matrix().row_range(first, static_cast<int64_t>(ids.size()));
  gather_rows(weight_.value, ids, output);
  dropout.apply_to_words(site_, first, output);
  dropout.apply(site_, 0, first, output);
}

void FusedEmbedding::backward(const std::vector<int64_t>& ids, const Dropout& dropout,
                              Matrix gradient, WeightGradients& gradients) const {
  dropout.apply(site_, 0, 0, gradient);
  dropout.apply_to_words(site_, 0, gradient);
  gradients.add_rows(weight_.gradient, ids, gradient);
}

}  // namespace nmt
