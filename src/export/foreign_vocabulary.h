#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "export/pickle.h"

namespace nmt {

/// A vocabulary of another program in this program's order.
struct ForeignVocabulary {
  static constexpr int64_t kNoRow = -1;

  std::vector<std::string> words;  // after the special tokens
  std::vector<int64_t> rows;       // of each id in the file's matrices, or kNoRow
};

/// Names of padding, the unknown word, BOS and EOS.
using SpecialNames = std::array<const char*, 4>;

/// A list of words by their ids: a list, or a Vocab of torchtext. `where` begins messages. Throws
/// Error, also on what is no UTF-8.
std::vector<std::string> words_of(const PickleValue& list, const std::string& where);

/// Throws Error when a word occurs twice, or padding or the unknown word is missing.
ForeignVocabulary reorder(const std::vector<std::string>& words, const SpecialNames& special,
                          const std::string& where);

}  // namespace nmt
