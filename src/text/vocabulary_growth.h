#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// A vocabulary with new pieces appended; existing ids stay the same.
struct GrownVocabulary {
  Tokenizer tokenizer;
  std::vector<std::vector<int32_t>> spelled;  // of each new piece: its old pieces
};

/// Adds at most `count` pieces by continuing byte-pair encoding (Sennrich et al. 2016) on the
/// texts: repeatedly, the most frequent pair of adjacent pieces within words that occurs at least
/// twice, or the most frequent unknown character, becomes a piece. Throws Error for a vocabulary
/// other than unigram or BPE.
GrownVocabulary grow_vocabulary(const Tokenizer& tokenizer, const std::vector<std::string>& texts,
                                int64_t count);

}  // namespace nmt
