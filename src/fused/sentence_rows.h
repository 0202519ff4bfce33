#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/packed_sequences.h"
#include "kernels/matrix.h"

namespace nmt {

/// The rows of packed sequences sentence by sentence instead of step by step, in the order of the
/// pairs: attention within a sentence then reads adjacent rows.
class SentenceRows {
 public:
  SentenceRows() = default;
  explicit SentenceRows(const PackedSequences& packed);

  size_t num_sentences() const { return begin_.size(); }
  int64_t num_rows() const { return static_cast<int64_t>(packed_row_.size()); }
  int64_t first_row(size_t sentence) const { return begin_[sentence]; }
  int64_t length(size_t sentence) const { return length_[sentence]; }

  /// The rows of the given sentences, in that order; a sentence may occur several times.
  SentenceRows of_sentences(const std::vector<size_t>& sentences) const;

  /// From packed order to this order.
  std::vector<int64_t> gather(const std::vector<int64_t>& packed) const;
  void gather(ConstMatrix packed, Matrix to) const;

  /// From this order to packed order.
  void scatter(ConstMatrix from, Matrix packed) const;

 private:
  std::vector<int64_t> begin_;       // [B]
  std::vector<int64_t> length_;      // [B]
  std::vector<int64_t> packed_row_;  // [rows]
};

}  // namespace nmt
