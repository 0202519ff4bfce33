#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nmt {

/// n-grams of a hypothesis, of its reference, and of both.
struct NgramCounts {
  int64_t hypothesis = 0;
  int64_t reference = 0;
  int64_t matches = 0;  // each reference n-gram matches once: "clipped"

  NgramCounts& operator+=(const NgramCounts& other);
};

/// Symbols are compared by their numbers: code points, or words numbered by number_words.
NgramCounts count_ngrams(const std::vector<uint32_t>& hypothesis,
                         const std::vector<uint32_t>& reference, size_t order);

struct NumberedWords {
  std::vector<uint32_t> hypothesis;
  std::vector<uint32_t> reference;
};

/// Equal words get equal numbers.
NumberedWords number_words(const std::vector<std::string>& hypothesis,
                           const std::vector<std::string>& reference);

/// Throws Error for unequal numbers of hypotheses and references, and for none.
void require_pairs(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references);

}  // namespace nmt
