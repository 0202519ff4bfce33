#include "metrics/ter.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "metrics/edit_distance.h"
#include "metrics/ngrams.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

// Tercom's limits, and sacreBLEU's limit on the candidates of a sentence.
constexpr size_t kMaxShiftLength = 10;
constexpr size_t kMaxShiftDistance = 50;
constexpr int64_t kMaxCandidates = 1000;

/// Which words are wrong, and the position in the hypothesis of each reference word.
struct Alignment {
  std::vector<bool> hypothesis_wrong;
  std::vector<bool> reference_wrong;
  std::vector<int64_t> place;  // of each reference word; −1 is before the first hypothesis word
};

Alignment align(const std::vector<Edit>& path) {
  Alignment alignment;
  int64_t at = -1;
  for (const Edit edit : path) {
    const bool uses_hypothesis = edit != Edit::kInsert;
    const bool uses_reference = edit != Edit::kDelete;
    const bool wrong = edit != Edit::kNone;
    if (uses_hypothesis) {
      ++at;
      alignment.hypothesis_wrong.push_back(wrong);
    }
    if (uses_reference) {
      alignment.place.push_back(at);
      alignment.reference_wrong.push_back(wrong);
    }
  }
  return alignment;
}

/// A block of hypothesis words that matches the reference at another position.
struct Block {
  size_t start;            // in the hypothesis
  size_t reference_start;  // in the reference
  size_t length;
};

bool any(const std::vector<bool>& flags, size_t begin, size_t length) {
  const auto first = flags.begin() + static_cast<int64_t>(begin);
  return std::find(first, first + static_cast<int64_t>(length), true) !=
         first + static_cast<int64_t>(length);
}

/// Moves `length` words from `start` to before word `target`. A target within or just after the
/// block moves the block right by target − start.
Symbols shifted(const Symbols& words, size_t start, size_t length, size_t target) {
  Symbols result = words;
  const auto at = [&](size_t i) {
    return result.begin() + static_cast<int64_t>(std::min(i, words.size()));
  };
  if (target < start) {
    std::rotate(at(target), at(start), at(start + length));
  } else if (target > start + length) {
    std::rotate(at(start), at(start + length), at(target));
  } else {
    std::rotate(at(start), at(start + length), at(length + target));
  }
  return result;
}

class ShiftSearch {
 public:
  explicit ShiftSearch(const Symbols& reference) : reference_(reference), distance_(reference) {}

  /// Number of edits from the hypothesis to the reference, including shifts.
  int64_t edits(Symbols hypothesis) {
    int64_t shifts = 0;
    while (const auto better = best_shift(hypothesis)) {
      if (candidates_ >= kMaxCandidates || better->gain <= 0) break;
      ++shifts;
      hypothesis = better->words;
    }
    return shifts + distance_.set_base(hypothesis);
  }

 private:
  /// A possible shift, ranked as in Tercom: gain, then longest block, earliest start, earliest
  /// target.
  struct Shift {
    int64_t gain;
    size_t length;
    size_t start;
    size_t target;
    Symbols words;

    bool better_than(const Shift& other) const {
      return std::make_tuple(gain, length, other.start, other.target) >
             std::make_tuple(other.gain, other.length, start, target);
    }
  };

  std::optional<Shift> best_shift(const Symbols& hypothesis) {
    std::optional<Shift> best;
    const int64_t base = distance_.set_base(hypothesis);
    const auto alignment = align(distance_.base_path());
    for (size_t start = 0; start < hypothesis.size(); ++start) {
      const size_t first = start - std::min(start, kMaxShiftDistance);
      const size_t last = std::min(reference_.size(), start + kMaxShiftDistance + 1);
      for (size_t reference_start = first; reference_start < last; ++reference_start) {
        for (size_t length = 1; matches(hypothesis, start, reference_start, length); ++length) {
          try_targets(hypothesis, {start, reference_start, length}, alignment, base, best);
          if (candidates_ >= kMaxCandidates) return best;
        }
      }
    }
    return best;
  }

  // Grows by one word per call, so only the last word needs a comparison.
  bool matches(const Symbols& hypothesis, size_t start, size_t reference_start,
               size_t length) const {
    return length <= kMaxShiftLength && start + length <= hypothesis.size() &&
           reference_start + length <= reference_.size() &&
           hypothesis[start + length - 1] == reference_[reference_start + length - 1];
  }

  void try_targets(const Symbols& hypothesis, const Block& block, const Alignment& alignment,
                   int64_t base, std::optional<Shift>& best) {
    if (!any(alignment.hypothesis_wrong, block.start, block.length)) return;
    if (!any(alignment.reference_wrong, block.reference_start, block.length)) return;
    const int64_t place = alignment.place[block.reference_start];
    const auto start = static_cast<int64_t>(block.start);
    if (start <= place && place < start + static_cast<int64_t>(block.length)) return;
    std::optional<size_t> previous;
    for (size_t offset = 0; offset <= block.length; ++offset) {
      const size_t next = block.reference_start + offset;  // the target follows word next − 1
      const size_t target = next == 0 ? 0 : static_cast<size_t>(alignment.place[next - 1] + 1);
      if (previous && *previous == target) continue;
      previous = target;
      auto words = shifted(hypothesis, block.start, block.length, target);
      const int64_t gain =
          base - distance_.distance_of_variant(words, std::min(block.start, target));
      ++candidates_;
      Shift shift{gain, block.length, block.start, target, std::move(words)};
      if (!best || shift.better_than(*best)) best = std::move(shift);
    }
  }

  Symbols reference_;
  BandedEditDistance distance_;
  int64_t candidates_ = 0;
};

std::vector<std::string> ter_words(const std::string& line, const TerOptions& options) {
  return split_whitespace(options.case_sensitive ? line : to_lower(line));
}

}  // namespace

TerCounts count_ter(const std::string& hypothesis, const std::vector<std::string>& references,
                    const TerOptions& options) {
  std::vector<std::vector<std::string>> lines = {ter_words(hypothesis, options)};
  for (const auto& reference : references) lines.push_back(ter_words(reference, options));
  const auto words = number_words(lines);
  TerCounts counts = {std::numeric_limits<int64_t>::max(), 0.0};
  for (size_t i = 1; i < words.size(); ++i) {
    const auto edits = words[i].empty() ? static_cast<int64_t>(words[0].size())
                                        : ShiftSearch(words[i]).edits(words[0]);
    counts.edits = std::min(counts.edits, edits);
    counts.reference_words += static_cast<double>(words[i].size());
  }
  counts.reference_words /= static_cast<double>(references.size());
  return counts;
}

double ter_of(const TerCounts& counts) {
  if (counts.reference_words == 0) return counts.edits > 0 ? 100.0 : 0.0;
  return 100.0 * static_cast<double>(counts.edits) / counts.reference_words;
}

double corpus_ter(const std::vector<std::string>& hypotheses, const References& references,
                  const TerOptions& options) {
  require_pairs(hypotheses, references);
  TerCounts counts;
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    const auto sentence = count_ter(hypotheses[i], references.of(i), options);
    counts.edits += sentence.edits;
    counts.reference_words += sentence.reference_words;
  }
  return ter_of(counts);
}

std::string ter_signature(const TerOptions& options, const std::string& references) {
  return "nrefs:" + references + "|case:" + (options.case_sensitive ? "mixed" : "lc") +
         "|tok:tercom|norm:no|punct:yes|asian:no|version:" + kSacrebleuVersion;
}

}  // namespace nmt
