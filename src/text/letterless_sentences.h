#pragma once

#include <string_view>

#include "text/tokenizer.h"

namespace nmt {

/// Recognizes sentences without letters other than in list marks such as "a)". Translation returns
/// them unchanged. contain() is always false for a source vocabulary without letters, whose model
/// translates e.g. numbers, and for tokens with space marks (text/word_vocabulary.h), which must
/// not appear in a translation.
class LetterlessSentences {
 public:
  explicit LetterlessSentences(const Tokenizer& source);
  bool contain(std::string_view sentence) const;

 private:
  bool exist_ = false;
  bool reads_tokens_ = false;
};

}  // namespace nmt
