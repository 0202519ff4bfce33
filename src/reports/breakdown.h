#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace nmt {

struct TranslatedSentence {
  int64_t line = 0;  // from 1
  std::string source;
  std::string translation;
  std::string reference;
  double chrf = 0.0;  // chrF2 of this sentence
};

/// Sentences of like length.
struct LengthGroup {
  int64_t shortest = 0;  // words of the source
  int64_t longest = 0;   // −1: no limit
  int64_t sentences = 0;
  double bleu = 0.0;
  double chrf = 0.0;
  double length_ratio = 0.0;  // words of translations to words of references
};

/// The groups that have sentences, from short to long.
std::vector<LengthGroup> by_length(const std::vector<TranslatedSentence>& sentences);

/// Words of the references by how often the training text has them.
struct FrequencyGroup {
  int64_t rarest = 0;     // times in the training text
  int64_t commonest = 0;  // −1: no limit
  int64_t words = 0;      // in the references
  int64_t found = 0;      // of those, in the translation of their sentence too
};

using WordCounts = std::map<std::string, int64_t>;

/// The words of all references, each with 0.
WordCounts words_of_references(const std::vector<TranslatedSentence>& sentences);

/// Adds how often a line of training text has the words that are in `counts`; others are left out,
/// so that the memory does not grow with the text.
void count_words(const std::string& line, WordCounts& counts);

/// The groups that have words, from rare to common.
std::vector<FrequencyGroup> by_frequency(const std::vector<TranslatedSentence>& sentences,
                                         const WordCounts& in_training);

}  // namespace nmt
