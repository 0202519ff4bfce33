#include "fused/attention.h"

#include "kernels/attention_row.h"
#include "kernels/matrix_product.h"

namespace nmt {

void FusedAttention::begin(const PackedBatch& batch, ConstMatrix values) {
  values_ = values;
  // h_src W: the query W h_t is the linear layer, so the keys are what flows back through it.
  linear_backward(values, weight_, keys_.take(values.rows, values.columns), WriteMode::kOverwrite);
  weights_.take(batch.target.num_rows(), batch.source.num_steps());
  score_gradient_.take(batch.target.num_rows(), batch.source.num_steps());
}

void FusedAttention::forward(const PackedBatch& batch, int64_t first, ConstMatrix queries,
                             Matrix contexts) {
  for (int64_t place = 0; place < queries.rows; ++place) {
    attend(queries.row(place), keys_.matrix(), values_, batch.attended(place),
           weights_.matrix().row(first + place), contexts.row(place));
  }
}

void FusedAttention::backward(const PackedBatch& batch, int64_t first, ConstMatrix context_gradient,
                              Matrix query_gradient) {
  for (int64_t place = 0; place < query_gradient.rows; ++place) {
    attend_backward(context_gradient.row(place), weights_.matrix().row(first + place),
                    keys_.matrix(), values_, batch.attended(place),
                    score_gradient_.matrix().row(first + place), query_gradient.row(place));
  }
}

Matrix FusedAttention::finish(const PackedBatch& batch, ConstMatrix queries,
                              ConstMatrix context_gradient, WeightGradients& gradients) {
  const auto of_keys = keys_gradient_.take_zeros(values_.rows, values_.columns);
  const auto of_values = values_gradient_.take_zeros(values_.rows, values_.columns);
  // Sentence by sentence, so that its rows stay in the cache.
  for (int64_t place = 0; place < batch.target.num_sequences(); ++place) {
    const auto source = batch.attended(place);
    for (int64_t step = 0; step < batch.target.lengths[static_cast<size_t>(place)]; ++step) {
      const int64_t row = batch.target.first_row(step) + place;
      attend_backward_to_source(context_gradient.row(row), weights_.matrix().row(row),
                                score_gradient_.matrix().row(row), queries.row(row), source,
                                of_keys, of_values);
    }
  }
  gradients.add_product(weight_.gradient, values_, of_keys);
  linear(of_keys, weight_, of_values, WriteMode::kAccumulate);
  return of_values;
}

}  // namespace nmt
