#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/choice.h"

namespace nmt {

/// How BLEU splits a line into words: sacreBLEU's tokenizers of the same names.
enum class BleuTokenizer {
  k13a,   // mteval-v13a's rules for Latin punctuation and numbers: the default
  kNone,  // white space alone
  kChar,  // every character is a word
  kIntl,  // mteval-v14's rules by Unicode categories
  kZh,    // every Chinese character is a word, 13a's rules for the rest
};

template <>
inline constexpr const char* kChoiceNames<BleuTokenizer>[] = {"13a", "none", "char", "intl", "zh"};

std::vector<std::string> tokenize(std::string_view line, BleuTokenizer tokenizer);

}  // namespace nmt
