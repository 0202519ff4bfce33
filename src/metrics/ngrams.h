#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "metrics/references.h"

namespace nmt {

/// n-grams of a hypothesis, of its references, and of both.
struct NgramCounts {
  int64_t hypothesis = 0;
  int64_t reference = 0;
  int64_t matches = 0;  // each reference n-gram matches once: "clipped"

  NgramCounts& operator+=(const NgramCounts& other);
};

/// Code points, or words numbered by number_words; they are compared by their numbers.
using Symbols = std::vector<uint32_t>;

/// Of several references, an n-gram occurs as often as in the one that has it most often.
NgramCounts count_ngrams(const Symbols& hypothesis, const std::vector<Symbols>& references,
                         size_t order);

/// The words of each line as numbers, equal ones for equal words.
std::vector<Symbols> number_words(const std::vector<std::vector<std::string>>& lines);

/// Throws Error for unequal numbers of hypotheses and references, and for none.
void require_pairs(const std::vector<std::string>& hypotheses, const References& references);

}  // namespace nmt
