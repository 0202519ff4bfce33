#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nmt {

struct TranslatedSentence {
  int64_t line = 0;  // from 1
  std::string source;
  std::string translation;
  std::string reference;
  double chrf = 0.0;  // chrF2 of this sentence
  std::optional<double> confidence = {};
};

std::vector<std::string> references_of(const std::vector<TranslatedSentence>& sentences);

/// The number of words between spaces; in scripts without spaces, of characters.
int64_t length_in_words(const std::string& line);

/// Sentences of similar length.
struct LengthGroup {
  int64_t shortest = 0;  // length_in_words() of the source
  int64_t longest = 0;   // −1: no limit
  int64_t sentences = 0;
  double bleu = 0.0;
  double chrf = 0.0;
  double length_ratio = 0.0;  // words of translations / words of references
};

/// The nonempty groups, from short to long.
std::vector<LengthGroup> by_length(const std::vector<TranslatedSentence>& sentences);

/// "6–10", "0", and "81+" where `last` is −1.
std::string range_text(int64_t first, int64_t last);

/// Sentences of similar confidence.
struct ConfidenceGroup {
  int64_t sentences = 0;
  double confidence = 0.0;  // mean
  double chrf = 0.0;        // mean sentence chrF2
};

/// The sentences with a confidence, sorted by it, in up to ten groups of equal size with at least
/// five sentences each.
std::vector<ConfidenceGroup> by_confidence(const std::vector<TranslatedSentence>& sentences);

/// Reference words by their frequency in the training text.
struct FrequencyGroup {
  int64_t rarest = 0;     // occurrences in the training text
  int64_t commonest = 0;  // −1: no limit
  int64_t words = 0;      // of the references
  int64_t found = 0;      // those also in the translation of their sentence
};

using WordCounts = std::map<std::string, int64_t>;

/// The words of all references, each with count 0.
WordCounts words_of_references(const std::vector<std::string>& references);

/// Counts the words of a line of training text that are already in `counts`. Other words are
/// ignored, so that memory does not grow with the text.
void count_words(const std::string& line, WordCounts& counts);

/// The nonempty groups, from rare to common.
std::vector<FrequencyGroup> by_frequency(const std::vector<TranslatedSentence>& sentences,
                                         const WordCounts& in_training);

}  // namespace nmt
