#pragma once

#include <cstdint>
#include <vector>

namespace nmt {

/// The features of one pair of lines that alignment uses.
struct LineShape {
  float source_length = 0;  // log(1 + characters)
  float target_length = 0;
  uint32_t source_numbers = 0;  // hash of the digits in the line; 0: none
  uint32_t target_numbers = 0;
};

/// Lines whose source seems to belong to the target `shift` lines below (above, where negative).
struct MisalignedLines {
  int64_t first = 0;  // 1-based
  int64_t last = 0;
  int64_t shift = 0;
};

/// Segments of a corpus that seem misaligned. Translations have similar lengths and the same
/// numbers, so the cheapest path through the shifts -kMaxShift to kMaxShift (Viterbi algorithm)
/// shows where the two sides diverge and where they meet again.
constexpr int64_t kMaxShift = 4;
std::vector<MisalignedLines> find_misaligned(const std::vector<LineShape>& lines);

}  // namespace nmt
