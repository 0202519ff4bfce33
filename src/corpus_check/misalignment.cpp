#include "corpus_check/misalignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace nmt {
namespace {

constexpr size_t kShifts = 2 * kMaxShift + 1;
constexpr size_t kNone = kMaxShift;  // the index of no shift at all
constexpr double kSlipCost = 12.0;   // cost of a change of shift: worth about 30 lines of real text
constexpr double kOutside = 1.0;  // cost of a line whose partner is unknown or outside the corpus
constexpr double kNumbersCost = 2.0;  // cost of numbers that differ
constexpr int64_t kShortest = 10;     // shorter segments may be chance

// Lines of an AlignmentSample. kMaxSampled is a multiple of 2 · kBlock.
constexpr int64_t kBlock = 500;
constexpr size_t kMaxSampled = 10000;
constexpr size_t kMinSampled = 300;

/// The distance of two lines: the absolute logarithm of their length ratio, and their numbers.
double unlikeness(const LineShape& source, const LineShape& target, double expected) {
  const double lengths =
      std::abs(double{source.source_length} - double{target.target_length} - expected);
  if (std::isnan(lengths)) return kOutside;
  const bool numbers = source.source_numbers != target.target_numbers &&
                       source.source_numbers != 0 && target.target_numbers != 0;
  return lengths + (numbers ? kNumbersCost : 0.0);
}

double usual_difference(const std::vector<LineShape>& lines) {
  double sum = 0;
  int64_t known = 0;
  for (const auto& line : lines) {
    const double difference = double{line.source_length} - double{line.target_length};
    if (std::isnan(difference)) continue;
    sum += difference;
    ++known;
  }
  return known == 0 ? 0 : sum / static_cast<double>(known);
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
    size_t shift = cheapest();
    for (size_t i = lines_.size(); i-- > 0;) {
      chosen[i] = shift;
      shift = from_[i][shift];
    }
    return chosen;
  }

 private:
  void advance(size_t i) {
    const size_t best = cheapest();
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

  size_t cheapest() const {
    return static_cast<size_t>(std::min_element(costs_.begin(), costs_.end()) - costs_.begin());
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

float length_of(const LineFeatures& line) {
  return line.valid ? std::log1p(static_cast<float>(line.characters))
                    : std::numeric_limits<float>::quiet_NaN();
}

uint32_t short_hash(uint64_t numbers) { return static_cast<uint32_t>(numbers >> 32); }

}  // namespace

LineShape shape_of(const LineFeatures& source, const LineFeatures& target) {
  return {length_of(source), length_of(target), short_hash(source.numbers),
          short_hash(target.numbers)};
}

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

void AlignmentSample::add(std::string_view source, std::string_view target) {
  const int64_t block = lines_++ / kBlock;
  if (block % stride_ != 0) return;
  if (shapes_.size() == kMaxSampled) {
    stride_ *= 2;
    constexpr size_t kLength{kBlock};
    for (size_t i = 0; i < kMaxSampled / 2; ++i) shapes_[i] = shapes_[2 * i - i % kLength];
    shapes_.resize(kMaxSampled / 2);
  }
  shapes_.push_back(shape_of(features_of(source), features_of(target)));
}

double AlignmentSample::misaligned_share() const {
  if (shapes_.size() < kMinSampled) return 0;
  int64_t misaligned = 0;
  for (const auto& lines : find_misaligned(shapes_)) misaligned += lines.last - lines.first + 1;
  return static_cast<double>(misaligned) / static_cast<double>(shapes_.size());
}

}  // namespace nmt
