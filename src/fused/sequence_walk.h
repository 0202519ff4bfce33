#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fused/packed_sequences.h"
#include "kernels/elementwise.h"
#include "kernels/matrix.h"

namespace nmt {

constexpr size_t kForward = 0;
constexpr size_t kBackward = 1;

/// The order in which one direction of the encoder visits the steps.
class SequenceWalk {
 public:
  SequenceWalk(const PackedSequences& packed, size_t direction)
      : packed_(packed), direction_(direction) {}

  int64_t step(int64_t visit) const {
    return direction_ == kForward ? visit : packed_.num_steps() - 1 - visit;
  }

  /// Rows of the step visited previously, for the sequences that have both steps.
  template <typename Float>
  MatrixView<Float> previous(int64_t step, MatrixView<Float> states) const {
    const int64_t before = direction_ == kForward ? step - 1 : step + 1;
    if (before < 0 || before >= packed_.num_steps()) return states.row_range(0, 0);
    return states.row_range(packed_.first_row(before), packed_.rows_at(std::max(step, before)));
  }

  /// The row of the sequence at `place` in the last step visited.
  int64_t last_row(int64_t place) const {
    if (direction_ == kBackward) return place;
    return packed_.first_row(packed_.lengths[static_cast<size_t>(place)] - 1) + place;
  }

  /// Joins the final state of the sequence at `place`, states [rows, D], to that of the other
  /// direction: a half of `state` [2D], or a term of `state` [D] if `summed`. Forward comes first.
  void join_final_state(int64_t place, ConstMatrix states, bool summed, float* state) const {
    const auto own = states.row_range(last_row(place), 1);
    const int64_t column = summed ? 0 : static_cast<int64_t>(direction_) * states.columns;
    const Matrix to(state + column, 1, states.columns);
    if (summed && direction_ == kBackward) {
      add(own, to);
    } else {
      copy_rows(own, to);
    }
  }

 private:
  const PackedSequences& packed_;
  size_t direction_;
};

}  // namespace nmt
