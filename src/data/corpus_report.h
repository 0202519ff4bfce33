#pragma once

#include <cstdint>
#include <string>

namespace nmt {

/// How many pairs of a parallel corpus were used, and why others were dropped.
struct CorpusReport {
  int64_t lines = 0;          // pairs read
  int64_t kept = 0;           // pairs used
  int64_t held_out = 0;       // dropped: a side is a sentence of a validation or test set
  int64_t empty = 0;          // dropped: a side has no token
  int64_t too_long = 0;       // dropped: a side has more than max_length tokens
  int64_t over_ratio = 0;     // dropped: one side is too many times longer than the other
  int64_t unguided = 0;       // kept without alignment: tokens do not match words
  int64_t source_tokens = 0;  // of the pairs kept
  int64_t target_tokens = 0;
  int64_t source_unknown = 0;  // of these tokens, those that the vocabulary cannot spell
  int64_t target_unknown = 0;
};

/// Above this, a text is in another language than its vocabulary's: models learn and rate unknown
/// tokens, with a low perplexity.
constexpr double kManyUnknownPercent = 10;

/// The unknown tokens in percent; 0 if there are no tokens.
inline double unknown_percent(int64_t unknown, int64_t tokens) {
  return tokens == 0 ? 0.0 : 100.0 * static_cast<double>(unknown) / static_cast<double>(tokens);
}

CorpusReport& operator+=(CorpusReport& sum, const CorpusReport& report);

/// What a corpus consists of: sentence pairs, or the lines of a language model's text.
enum class CorpusUnit { kPairs, kLines };

/// One line for people.
std::string to_text(const CorpusReport& report, CorpusUnit unit = CorpusUnit::kPairs);

}  // namespace nmt
