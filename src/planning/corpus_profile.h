#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "unicode/scripts.h"

namespace nmt {

/// One side of a parallel corpus.
struct SideProfile {
  double words = 0;            // as number_of_words() counts them
  int64_t frequent_words = 0;  // distinct words that occur at least kFrequent times in the sample
  int64_t characters = 0;      // distinct characters
  Script script = Script::kLatin;  // of most letters; kana count as Han
  std::set<Script> scripts;        // the main script of each corpus
  bool non_joiners = false;        // over 1 % of the lines have U+200C, which divides letters
};

/// The properties of the corpora that settings are chosen from.
struct CorpusProfile {
  int64_t pairs = 0;
  SideProfile source;
  SideProfile target;
  int64_t frequent_words = 0;  // of both sides together
  int64_t characters = 0;      // likewise

  /// Mean of both sides.
  double words() const { return (source.words + target.words) / 2; }
  double words_per_pair() const { return pairs == 0 ? 0 : words() / static_cast<double>(pairs); }
};

constexpr int64_t kFrequent = 5;

/// Profiles the first 200,000 pairs of each corpus and scales words to all of its pairs, which are
/// counted. Leaves out pairs that training drops with any vocabulary, and the same share of the
/// pairs beyond the sample. The result depends only on the text and data.max_length. Throws Error
/// when files cannot be read, are empty or differ in their number of lines; Interrupted on a
/// signal.
CorpusProfile profile_corpora(const std::vector<std::string>& sources,
                              const std::vector<std::string>& targets, int64_t max_length);

}  // namespace nmt
