#include "fused/attention.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "attentions/attention_kind.h"
#include "kernels/elementwise.h"
#include "kernels/matrix_product.h"

namespace nmt {

FusedAttention::FusedAttention(const AttentionForm& form) : form_(form) {
  score_ = {form.heads, form.scale, form.energy.value.data};
  if (form.position.exists()) window_.emplace(form.position, form.center);
  if (form.coverage.exists()) coverage_.emplace(form.coverage, form.folded);
}

/// The source rows that a target row attends to.
AttendedRows FusedAttention::attended(int64_t row) const {
  if (window_) return window_->attended(row);
  auto source = batch_->attended(row);
  if (coverage_) source.coverage = coverage_->of(row);
  if (form_.monotonic) return monotonic_window(source, batch_->target.step_of(row));
  if (form_.location.exists()) source.size = std::min(source.size, form_.location.value.rows);
  return source;
}

/// Calls visit(position, first, count) for each row of W_a, with the source rows of the words
/// there.
template <typename Visit>
void FusedAttention::for_each_position(Visit&& visit) const {
  const auto& source = batch_->source;
  const int64_t positions = std::min(source.num_steps(), form_.location.value.rows);
  for (int64_t position = 0; position < positions; ++position) {
    visit(position, source.first_row(position), source.rows_at(position));
  }
}

void FusedAttention::begin(const PackedBatch& batch, ConstMatrix states) {
  batch_ = &batch;
  if (!attends()) return;
  const auto take = [&](Buffer& buffer) { return buffer.take(states.rows, states.columns); };
  const auto project = [&](const Parameter& weight, Buffer& buffer) {
    if (!weight.exists()) return states;
    linear(states, weight, take(buffer), WriteMode::kOverwrite);
    return ConstMatrix(buffer.matrix());
  };
  states_ = states;
  source_keys_ = project(form_.key, source_keys_buffer_);
  values_ = project(form_.value, values_buffer_);
  if (form_.location.exists()) {
    const auto keys = take(source_keys_buffer_);
    for_each_position([&](int64_t position, int64_t first, int64_t count) {
      for (int64_t row = first; row < first + count; ++row) {
        copy_rows(form_.location.value.row_range(position, 1), keys.row_range(row, 1));
      }
    });
    source_keys_ = keys;
  }
  keys_ = source_keys_;
  if (form_.folded.exists()) {
    const auto keys = take(keys_buffer_);
    // W_fᵀ k is the backward pass of the linear layer q = W_f h_t.
    linear_backward(source_keys_, form_.folded, keys, WriteMode::kOverwrite);
    keys_ = keys;
  }
  const int64_t rows = batch.target.num_rows();
  const int64_t weights = form_.heads * batch.source.num_steps();
  weights_.take(rows, weights);
  score_gradient_.take(rows, weights);
  weights_gradient_.take(1, batch.source.num_steps());
  if (form_.copied_from) average_gradient_.take_zeros(rows, batch.source.num_steps());
  if (form_.query.exists()) {
    queries_.take(rows, states.columns);
    query_gradient_.take_zeros(rows, states.columns);
  }
  if (form_.output.exists()) {
    mixtures_.take(rows, states.columns);
    mixture_gradient_.take(rows, states.columns);
  }
  if (window_) window_->begin(batch);
  if (coverage_) {
    coverage_->begin(batch);
    score_.coverage = coverage_->weight();
  }
  if (score_.energy == nullptr) return;
  energy_gradient_.take_zeros(1, states.columns);
  keys_gradient_.take_zeros(states.rows, states.columns);
  values_gradient_.take_zeros(states.rows, states.columns);
}

void FusedAttention::forward(int64_t first, ConstMatrix decoder_states, Matrix contexts) {
  const int64_t rows = decoder_states.rows;
  auto queries = decoder_states;
  if (form_.query.exists()) {
    const auto own = queries_.matrix().row_range(first, rows);
    linear(decoder_states, form_.query, own, WriteMode::kOverwrite);
    queries = own;
  }
  if (window_) window_->forward(first, decoder_states);
  if (coverage_) coverage_->forward(first, rows, weights_.matrix());
  const auto mixtures =
      form_.output.exists() ? mixtures_.matrix().row_range(first, rows) : contexts;
  for (int64_t i = 0; i < rows; ++i) {
    attend(score_, queries.row(i), keys_, values_, attended(first + i),
           weights_.matrix().row(first + i), mixtures.row(i));
  }
  if (form_.output.exists()) linear(mixtures, form_.output, contexts, WriteMode::kOverwrite);
}

AttendedRows FusedAttention::average_weights(int64_t row, float* mean) const {
  const auto source = attended(row);
  average_heads(form_.heads, source.size, weights_.matrix().row(row), mean);
  return source;
}

/// The gradient of guided alignment for each head's weights in an aligned row, −A / a of the loss
/// −Σ_s A_s log a_s, where a is the mean of the heads.
void FusedAttention::set_guide(int64_t row, float* gradient) const {
  const auto at = static_cast<size_t>(row);
  const auto seen = average_weights(row, gradient);
  const auto window = seen.rows - batch_->attended(row).rows;  // its offset in the sentence
  const float* alignment = batch_->guides[at] + window;
  const float share =
      batch_->alignments[batch_->pairs[at]].weight / static_cast<float>(form_.heads);
  for (int64_t i = 0; i < seen.size; ++i) {
    const float attention = gradient[i];
    gradient[i] = attention > kMinGuidedAttention ? -share * alignment[i] / attention : 0.0F;
  }
}

/// The part of the gradient of each head's weights that does not come through the context; null: 0.
const float* FusedAttention::weights_gradient(int64_t row) {
  const bool is_guided = batch_->guides[static_cast<size_t>(row)] != nullptr;
  if (!is_guided && !coverage_ && !form_.copied_from) return nullptr;
  const int64_t size = attended(row).size;
  float* gradient = weights_gradient_.matrix().data;
  if (is_guided) {
    set_guide(row, gradient);
  } else {
    std::fill_n(gradient, size, 0.0F);
  }
  const auto add = [&](const float* part, float share) {
    for (int64_t i = 0; i < size; ++i) gradient[i] += share * part[i];
  };
  if (coverage_) add(coverage_->weights_gradient(row), 1.0F);
  if (form_.copied_from) add(average_gradient(row), 1.0F / static_cast<float>(form_.heads));
  return gradient;
}

void FusedAttention::backward(int64_t first, ConstMatrix decoder_states,
                              ConstMatrix context_gradient, Matrix decoder_gradient) {
  const int64_t rows = decoder_states.rows;
  auto of_mixtures = context_gradient;
  if (form_.output.exists()) {
    const auto own = mixture_gradient_.matrix().row_range(first, rows);
    linear_backward(context_gradient, form_.output, own, WriteMode::kOverwrite);
    of_mixtures = own;
  }
  const bool has_query = form_.query.exists();
  const auto queries =
      has_query ? ConstMatrix(queries_.matrix().row_range(first, rows)) : decoder_states;
  const auto of_queries =
      has_query ? query_gradient_.matrix().row_range(first, rows) : decoder_gradient;
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t row = first + i;
    const auto source = attended(row);
    const float* weights = weights_.matrix().row(row);
    float* score_gradient = score_gradient_.matrix().row(row);
    if (score_.energy != nullptr) {
      attend_backward_energy(score_, of_mixtures.row(i), weights, queries.row(i), keys_, values_,
                             source, score_gradient, of_queries.row(i), keys_gradient_.matrix(),
                             values_gradient_.matrix(), energy_gradient_.matrix().data,
                             weights_gradient(row),
                             coverage_ ? coverage_->gradient(row) : CoverageGradient());
    } else {
      attend_backward(score_, of_mixtures.row(i), weights, keys_, values_, source, score_gradient,
                      of_queries.row(i), window_ ? window_->factor_gradient() : nullptr,
                      weights_gradient(row));
      if (window_) window_->backward_row(row);
      if (coverage_) {
        coverage_backward(score_, score_gradient, queries.row(i), queries.columns, source,
                          of_queries.row(i), coverage_->gradient(row));
      }
    }
    if (coverage_) coverage_->backward_row(row);
  }
  if (window_) window_->backward(first, decoder_gradient);
  if (has_query) linear_backward(of_queries, form_.query, decoder_gradient, WriteMode::kAccumulate);
}

Matrix FusedAttention::finish(ConstMatrix decoder_states, ConstMatrix context_gradient,
                              WeightGradients& gradients) {
  if (!attends()) {
    return values_gradient_.take_zeros(batch_->source.num_rows(), decoder_states.columns);
  }
  const bool has_query = form_.query.exists();
  const bool has_output = form_.output.exists();
  if (has_output) {
    gradients.add_product(form_.output.gradient, context_gradient, mixtures_.matrix());
  }
  if (has_query) {
    gradients.add_product(form_.query.gradient, query_gradient_.matrix(), decoder_states);
  }
  if (window_) window_->finish(decoder_states, gradients);
  if (coverage_) coverage_->finish(gradients);
  if (score_.energy != nullptr) {
    gradients.add_column_sums(form_.energy.gradient, energy_gradient_.matrix());
  } else {
    backward_to_source(has_query ? ConstMatrix(queries_.matrix()) : decoder_states,
                       has_output ? ConstMatrix(mixture_gradient_.matrix()) : context_gradient);
  }
  return backward_to_states(gradients);
}

/// Goes sentence by sentence, so that the sentence's rows stay in the cache.
void FusedAttention::backward_to_source(ConstMatrix queries, ConstMatrix mixture_gradient) {
  const auto& places = batch_->source_places;
  const auto of_keys = keys_gradient_.take_zeros(keys_.rows, keys_.columns);
  const auto of_values = values_gradient_.take_zeros(values_.rows, values_.columns);
  const auto place_of = [&](int64_t row) { return places[static_cast<size_t>(row)]; };
  std::vector<int64_t> rows(places.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](int64_t a, int64_t b) { return place_of(a) < place_of(b); });
  for (const int64_t row : rows) {
    attend_backward_to_source(score_, mixture_gradient.row(row), weights_.matrix().row(row),
                              score_gradient_.matrix().row(row), queries.row(row), attended(row),
                              of_keys, of_values);
  }
}

/// Back-propagates through W_f, W_k, W_a and W_v; returns the gradient of h_src.
Matrix FusedAttention::backward_to_states(WeightGradients& gradients) {
  Matrix of_states = values_gradient_.matrix();
  if (form_.value.exists()) {
    gradients.add_product(form_.value.gradient, of_states, states_);
    of_states = states_gradient_.take(states_.rows, states_.columns);
    linear_backward(values_gradient_.matrix(), form_.value, of_states, WriteMode::kOverwrite);
  }
  Matrix of_keys = keys_gradient_.matrix();
  if (form_.location.exists()) {
    for_each_position([&](int64_t position, int64_t first, int64_t count) {
      gradients.add_column_sums(form_.location.gradient.row_range(position, 1),
                                of_keys.row_range(first, count));
    });
    return of_states;
  }
  if (form_.folded.exists()) {
    gradients.add_product(form_.folded.gradient, source_keys_, of_keys);
    if (!form_.key.exists()) {
      linear(of_keys, form_.folded, of_states, WriteMode::kAccumulate);
      return of_states;
    }
    const auto of_source_keys = source_gradient_.take(states_.rows, states_.columns);
    linear(of_keys, form_.folded, of_source_keys, WriteMode::kOverwrite);
    of_keys = of_source_keys;
  }
  if (form_.key.exists()) {
    gradients.add_product(form_.key.gradient, of_keys, states_);
    linear_backward(of_keys, form_.key, of_states, WriteMode::kAccumulate);
  } else {
    add(of_keys, of_states);
  }
  return of_states;
}

}  // namespace nmt
