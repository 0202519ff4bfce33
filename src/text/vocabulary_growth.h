#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// A vocabulary with new pieces after its own, whose ids stay.
struct GrownVocabulary {
  Tokenizer tokenizer;
  std::vector<std::vector<int32_t>> spelled;  // each new piece by the pieces that wrote it before
};

/// Adds at most `count` pieces for what the texts' words are split into: byte-pair encoding
/// (Sennrich et al. 2016) continued on them. Again and again, the most frequent pair of adjacent
/// pieces within words becomes one piece, or the most frequent unknown character, as long as it
/// occurs twice. Throws Error for a vocabulary other than unigram or BPE.
GrownVocabulary grow_vocabulary(const Tokenizer& tokenizer, const std::vector<std::string>& texts,
                                int64_t count);

}  // namespace nmt
