#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "export/pickle.h"

namespace nmt {

/// A vocabulary of another program in this program's order: the special tokens, then the words.
struct ForeignVocabulary {
  static constexpr int64_t kNoRow = -1;

  std::vector<std::string> words;  // after the special tokens
  std::vector<int64_t> rows;       // of each id in the file's matrices, or kNoRow
};

/// Names of padding, the unknown word, BOS and EOS.
using SpecialNames = std::array<const char*, 4>;

/// The words in the order of their ids, from a list or a torchtext Vocab. Throws Error, beginning
/// with `where`, for anything else and for invalid UTF-8.
std::vector<std::string> words_of(const PickleValue& list, const std::string& where);

/// Moves the special tokens to the front. Throws Error, beginning with `where`, if a word occurs
/// twice, or padding or the unknown word is missing.
ForeignVocabulary reorder(const std::vector<std::string>& words, const SpecialNames& special,
                          const std::string& where);

}  // namespace nmt
