#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "corpus_check/line_features.h"

namespace nmt {

/// The features of one pair of lines that alignment uses.
struct LineShape {
  float source_length = 0;  // log(1 + characters); NaN: unknown
  float target_length = 0;
  uint32_t source_numbers = 0;  // hash of the digits in the line; 0: none
  uint32_t target_numbers = 0;
};

LineShape shape_of(const LineFeatures& source, const LineFeatures& target);

/// Lines whose source seems to belong to the target `shift` lines below (above, where negative).
struct MisalignedLines {
  int64_t first = 0;  // 1-based
  int64_t last = 0;
  int64_t shift = 0;
};

/// Finds the segments of a corpus that seem misaligned. Translations have similar lengths and the
/// same numbers, so the cheapest path through the shifts -kMaxShift to kMaxShift (Viterbi
/// algorithm) shows where the two sides diverge and where they meet again.
constexpr int64_t kMaxShift = 4;
std::vector<MisalignedLines> find_misaligned(const std::vector<LineShape>& lines);

/// Estimates how much of a corpus is misaligned from at most 10,000 pairs, in evenly spaced blocks
/// of lines. add() takes all pairs in order.
class AlignmentSample {
 public:
  void add(std::string_view source, std::string_view target);

  /// 0 for a corpus too small to know.
  double misaligned_share() const;

 private:
  int64_t lines_ = 0;   // read
  int64_t stride_ = 1;  // of the blocks, each stride-th is kept
  std::vector<LineShape> shapes_;
};

}  // namespace nmt
