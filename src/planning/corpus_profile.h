#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unicode/scripts.h"

namespace nmt {

/// One side of a parallel corpus.
struct SideProfile {
  double words = 0;            // separated by spaces; of scripts without spaces two characters each
  int64_t frequent_words = 0;  // distinct ones that occur at least kFrequent times in the sample
  int64_t characters = 0;      // distinct ones
  Script script = Script::kLatin;  // of most letters; kana count as Han
};

/// What settings are chosen from.
struct CorpusProfile {
  int64_t pairs = 0;
  SideProfile source;
  SideProfile target;
  int64_t frequent_words = 0;  // of both sides together
  int64_t characters = 0;      // likewise

  /// Of a side, on average.
  double words() const { return (source.words + target.words) / 2; }
  double words_per_pair() const { return pairs == 0 ? 0 : words() / static_cast<double>(pairs); }
};

constexpr int64_t kFrequent = 5;

/// Counts all pairs of the corpora; the rest is of the first 200,000 pairs of each, words
/// scaled to all. A function of the text alone. Throws Error when files cannot be read, are empty
/// or differ in their number of lines; Interrupted on a signal.
CorpusProfile profile_corpora(const std::vector<std::string>& sources,
                              const std::vector<std::string>& targets);

}  // namespace nmt
