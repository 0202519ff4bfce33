#pragma once

#include <cstdint>
#include <vector>

namespace nmt {

/// What alignment goes by in one pair of lines.
struct LineShape {
  float source_length = 0;  // log(1 + characters)
  float target_length = 0;
  uint32_t source_numbers = 0;  // of the digits in the line; 0: none
  uint32_t target_numbers = 0;
};

/// Lines whose source seems to belong to the target `shift` lines below (above, where negative).
struct MisalignedLines {
  int64_t first = 0;  // 1-based
  int64_t last = 0;
  int64_t shift = 0;
};

/// Stretches of a corpus that seem to have slipped: translations are of like length and hold the
/// same numbers, so the cheapest way through all shifts from -kMaxShift to kMaxShift (Viterbi's
/// algorithm) tells where the lines part and where they meet again.
constexpr int64_t kMaxShift = 4;
std::vector<MisalignedLines> find_misaligned(const std::vector<LineShape>& lines);

}  // namespace nmt
