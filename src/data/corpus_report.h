#pragma once

#include <cstdint>
#include <string>

namespace nmt {

/// What became of the lines of a parallel corpus.
struct CorpusReport {
  int64_t lines = 0;          // pairs read
  int64_t kept = 0;           // pairs used
  int64_t held_out = 0;       // dropped: a side is a sentence of a validation or test set
  int64_t empty = 0;          // dropped: a side has no token
  int64_t too_long = 0;       // dropped: a side has more than max_length tokens
  int64_t over_ratio = 0;     // dropped: one side is too many times longer than the other
  int64_t unguided = 0;       // kept, but without their alignment: no telling words from tokens
  int64_t source_tokens = 0;  // of the pairs kept
  int64_t target_tokens = 0;
};

CorpusReport& operator+=(CorpusReport& sum, const CorpusReport& report);

/// What a corpus consists of; the lines of one text have no target of their own.
enum class CorpusUnit { kPairs, kLines };

/// One line for people.
std::string to_text(const CorpusReport& report, CorpusUnit unit = CorpusUnit::kPairs);

}  // namespace nmt
