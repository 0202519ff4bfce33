#include "fused/sentence_rows.h"

#include <algorithm>

#include "kernels/elementwise.h"

namespace nmt {

SentenceRows::SentenceRows(const PackedSequences& packed) {
  for (const int64_t place : packed.places()) {
    begin_.push_back(num_rows());
    length_.push_back(packed.lengths[static_cast<size_t>(place)]);
    for (int64_t step = 0; step < length_.back(); ++step) {
      packed_row_.push_back(packed.first_row(step) + place);
    }
  }
}

SentenceRows SentenceRows::of_sentences(const std::vector<size_t>& sentences) const {
  SentenceRows result;
  result.packed_row_ = packed_row_;
  for (const size_t sentence : sentences) {
    result.begin_.push_back(begin_[sentence]);
    result.length_.push_back(length_[sentence]);
  }
  return result;
}

std::vector<int64_t> SentenceRows::gather(const std::vector<int64_t>& packed) const {
  std::vector<int64_t> gathered;
  for (const int64_t row : packed_row_) gathered.push_back(packed[static_cast<size_t>(row)]);
  return gathered;
}

void SentenceRows::gather(ConstMatrix packed, Matrix to) const {
  gather_rows(packed, packed_row_, to);
}

void SentenceRows::scatter(ConstMatrix from, Matrix packed) const {
  for (int64_t row = 0; row < from.rows; ++row) {
    std::copy_n(from.row(row), from.columns, packed.row(packed_row_[static_cast<size_t>(row)]));
  }
}

}  // namespace nmt
