#include "fused/multi_head_layer.h"

#include <algorithm>

namespace nmt {

MultiHeadLayer::MultiHeadLayer(const ParameterTable& parameters, const std::string& prefix,
                               int64_t heads)
    : query_(parameters.at(prefix + "query.weight")),
      key_(parameters.at(prefix + "key.weight")),
      value_(parameters.at(prefix + "value.weight")),
      output_(parameters.at(prefix + "output.weight")) {
  score_.heads = heads;
  score_.scale = score_scale(query_.value.rows, heads);
}

/// Calls task(row, first row of the memory, visible rows from there, its part of weights_).
template <typename Task>
void MultiHeadLayer::for_each_query(Task&& task) {
  float* weights = weights_.matrix().data;
  for (size_t sentence = 0; sentence < rows_->num_sentences(); ++sentence) {
    for (int64_t i = 0; i < rows_->length(sentence); ++i) {
      const int64_t visible =
          mask_ == AttentionMask::kCausal ? i + 1 : memory_rows_->length(sentence);
      task(rows_->first_row(sentence) + i, memory_rows_->first_row(sentence), first_rows(visible),
           weights);
      weights += score_.heads * visible;
    }
  }
}

void MultiHeadLayer::forward(const SentenceRows& rows, ConstMatrix x,
                             const SentenceRows& memory_rows, ConstMatrix memory,
                             AttentionMask mask, Matrix y) {
  rows_ = &rows;
  memory_rows_ = &memory_rows;
  mask_ = mask;
  x_ = x;
  memory_ = memory;
  const int64_t width = x.columns;
  const auto queries = queries_.take(x.rows, width);
  const auto both = keys_values_.take(memory.rows, 2 * width);
  const auto keys = both.column_range(0, width);
  const auto values = both.column_range(width, width);
  linear(x, query_, queries, WriteMode::kOverwrite);
  linear(memory, key_, keys, WriteMode::kOverwrite);
  linear(memory, value_, values, WriteMode::kOverwrite);

  int64_t count = 0;
  int64_t longest = 0;
  for (size_t i = 0; i < rows.num_sentences(); ++i) {
    longest = std::max(longest, memory_rows.length(i));
    count += rows.length(i) * memory_rows.length(i);
  }
  weights_.take(1, count * score_.heads);
  score_gradient_.take(score_.heads, longest);

  const auto contexts = contexts_.take(x.rows, width);
  for_each_query([&](int64_t row, int64_t first, AttendedRows visible, float* weights) {
    attend(score_, queries.row(row), keys.row_range(first, visible.size),
           values.row_range(first, visible.size), visible, weights, contexts.row(row));
  });
  linear(contexts, output_, y, WriteMode::kOverwrite);
}

void MultiHeadLayer::backward(ConstMatrix dy, Workspace& workspace, Matrix dx, Matrix dm,
                              WeightGradients& gradients) {
  const int64_t width = x_.columns;
  const auto of_contexts = workspace.contexts.take(x_.rows, width);
  linear_backward(dy, output_, of_contexts, WriteMode::kOverwrite);
  const auto of_queries = workspace.queries.take_zeros(x_.rows, width);
  const auto of_both = workspace.memory.take_zeros(memory_.rows, 2 * width);
  const auto of_keys = of_both.column_range(0, width);
  const auto of_values = of_both.column_range(width, width);
  const auto& queries = queries_.matrix();
  const auto keys = keys_values_.matrix().column_range(0, width);
  const auto values = keys_values_.matrix().column_range(width, width);
  float* of_scores = score_gradient_.matrix().data;
  for_each_query([&](int64_t row, int64_t first, AttendedRows visible, const float* weights) {
    attend_backward(score_, of_contexts.row(row), weights, keys.row_range(first, visible.size),
                    values.row_range(first, visible.size), visible, of_scores, of_queries.row(row));
    attend_backward_to_source(score_, of_contexts.row(row), weights, of_scores, queries.row(row),
                              visible, of_keys.row_range(first, visible.size),
                              of_values.row_range(first, visible.size));
  });
  gradients.add_product(output_.gradient, dy, contexts_.matrix());
  gradients.add_product(query_.gradient, of_queries, x_);
  gradients.add_product(key_.gradient, of_keys, memory_);
  gradients.add_product(value_.gradient, of_values, memory_);
  linear_backward(of_queries, query_, dx, WriteMode::kOverwrite);
  linear_backward(of_keys, key_, dm, WriteMode::kAccumulate);
  linear_backward(of_values, value_, dm, WriteMode::kAccumulate);
}

}  // namespace nmt
