#include "corpus_check/misalignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace nmt {
namespace {

constexpr size_t kShifts = 2 * kMaxShift + 1;
constexpr size_t kNone = kMaxShift;   // the index of no shift at all
constexpr double kSlipCost = 12.0;    // the evidence of some 30 lines of real text
constexpr double kOutside = 1.0;      // of a line whose partner lies outside the corpus
constexpr double kNumbersCost = 2.0;  // of numbers that differ
constexpr int64_t kShortest = 10;     // shorter segments may be chance

/// The distance of two lines: the absolute logarithm of their length ratio, and their numbers.
double unlikeness(const LineShape& source, const LineShape& target, double expected) {
  const double lengths =
      std::abs(double{source.source_length} - double{target.target_length} - expected);
  const bool numbers = source.source_numbers != target.target_numbers &&
                       source.source_numbers != 0 && target.target_numbers != 0;
  return lengths + (numbers ? kNumbersCost : 0.0);
}

double usual_difference(const std::vector<LineShape>& lines) {
  double sum = 0;
  for (const auto& line : lines) sum += double{line.source_length} - double{line.target_length};
  return lines.empty() ? 0 : sum / static_cast<double>(lines.size());
}

class ShiftSearch {
 public:
  explicit ShiftSearch(const std::vector<LineShape>& lines)
      : lines_(lines), usual_(usual_difference(lines)), from_(lines.size()) {
    costs_.fill(kSlipCost);
    costs_[kNone] = 0;
    for (size_t i = 0; i < lines.size(); ++i) advance(i);
  }

  /// The shift of each line on the cheapest path.
  std::vector<size_t> shifts() const {
    std::vector<size_t> chosen(lines_.size());
    auto shift =
        static_cast<size_t>(std::min_element(costs_.begin(), costs_.end()) - costs_.begin());
    for (size_t i = lines_.size(); i-- > 0;) {
      chosen[i] = shift;
      shift = from_[i][shift];
    }
    return chosen;
  }

 private:
  void advance(size_t i) {
    const auto best =
        static_cast<size_t>(std::min_element(costs_.begin(), costs_.end()) - costs_.begin());
    const double switching = costs_[best] + kSlipCost;
    for (size_t shift = 0; shift < kShifts; ++shift) {
      from_[i][shift] = static_cast<uint8_t>(shift);
      if (switching < costs_[shift]) {
        costs_[shift] = switching;
        from_[i][shift] = static_cast<uint8_t>(best);
      }
      costs_[shift] += cost(i, shift);
    }
  }

  double cost(size_t i, size_t shift) const {
    const auto partner = static_cast<int64_t>(i + shift) - kMaxShift;
    if (partner < 0 || partner >= static_cast<int64_t>(lines_.size())) return kOutside;
    return unlikeness(lines_[i], lines_[static_cast<size_t>(partner)], usual_);
  }

  const std::vector<LineShape>& lines_;
  double usual_;  // log length ratio of the two languages
  std::array<double, kShifts> costs_;
  std::vector<std::array<uint8_t, kShifts>> from_;  // the previous line's shift on the best path
};

}  // namespace

std::vector<MisalignedLines> find_misaligned(const std::vector<LineShape>& lines) {
  std::vector<MisalignedLines> stretches;
  const auto shifts = ShiftSearch(lines).shifts();
  for (size_t first = 0, end = 0; first < shifts.size(); first = end) {
    while (end < shifts.size() && shifts[end] == shifts[first]) ++end;
    const auto length = static_cast<int64_t>(end - first);
    if (shifts[first] == kNone || length < kShortest) continue;
    stretches.push_back({static_cast<int64_t>(first) + 1, static_cast<int64_t>(end),
                         static_cast<int64_t>(shifts[first]) - kMaxShift});
  }
  return stretches;
}

}  // namespace nmt
