#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "metrics/references.h"

namespace nmt {

/// Numbers of n-grams of a hypothesis, of its references, and of matches.
struct NgramCounts {
  int64_t hypothesis = 0;
  int64_t reference = 0;
  int64_t matches = 0;  // clipped: each reference n-gram matches at most once

  NgramCounts& operator+=(const NgramCounts& other);
};

/// Code points, or words numbered by number_words().
using Symbols = std::vector<uint32_t>;

/// With several references, the count of an n-gram is its maximum over the references.
NgramCounts count_ngrams(const Symbols& hypothesis, const std::vector<Symbols>& references,
                         size_t order);

/// Replaces the words of all lines by numbers; equal words get equal numbers.
std::vector<Symbols> number_words(const std::vector<std::vector<std::string>>& lines);

/// Throws Error unless there are equally many hypotheses and references, at least one.
void require_pairs(const std::vector<std::string>& hypotheses, const References& references);

}  // namespace nmt
