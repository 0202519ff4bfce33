#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nmt {

/// Sequences of different lengths laid out step by step, the longest sequence first: the rows of
/// step t are the sequences that have a t-th token, in the same order. No row is padding, and
/// the sequences that continue are always the first rows of a step.
struct PackedSequences {
  std::vector<int64_t> order;       // [B] sequence at each place
  std::vector<int64_t> lengths;     // [B] of the sequence at each place, descending
  std::vector<int64_t> step_begin;  // [T + 1] first row of each step, and the end

  int64_t num_sequences() const { return static_cast<int64_t>(order.size()); }
  int64_t num_steps() const { return static_cast<int64_t>(step_begin.size()) - 1; }
  int64_t num_rows() const { return step_begin.back(); }
  int64_t first_row(int64_t step) const { return step_begin[static_cast<size_t>(step)]; }
  /// The step that a row belongs to.
  int64_t step_of(int64_t row) const {
    return std::upper_bound(step_begin.begin(), step_begin.end(), row) - step_begin.begin() - 1;
  }
  /// The number of sequences with more than `step` tokens; 0 for a step beyond the last.
  int64_t rows_at(int64_t step) const {
    return step < num_steps() ? first_row(step + 1) - first_row(step) : 0;
  }
  /// [B] the place of each sequence: the inverse of `order`.
  std::vector<int64_t> places() const;

  /// Calls visit(sequence, step, place) for every row, in the order of the rows.
  template <typename Visit>
  void for_each_row(Visit&& visit) const {
    for (int64_t step = 0; step < num_steps(); ++step) {
      for (int64_t place = 0; place < rows_at(step); ++place) {
        visit(static_cast<size_t>(order[static_cast<size_t>(place)]), step, place);
      }
    }
  }
};

/// The layout of sequences of these lengths, each at least 1.
PackedSequences pack_sequences(const std::vector<int64_t>& lengths);

}  // namespace nmt
