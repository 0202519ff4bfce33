#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nmt {

/// What the translation of one sentence has to keep to, as token ids.
struct SentenceGuide {
  std::vector<int32_t> prefix;                    // it begins with these; empty: free
  std::vector<std::vector<int32_t>> constraints;  // phrases that it holds, none of them empty
};

/// None at all, or one for each sentence.
using SentenceGuides = std::vector<SentenceGuide>;

/// The guide of a sentence, or null where there are none.
inline const SentenceGuide* guide_of(const SentenceGuides& guides, size_t sentence) {
  return guides.empty() ? nullptr : &guides[sentence];
}

}  // namespace nmt
