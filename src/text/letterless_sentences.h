#pragma once

#include <string_view>

#include "text/tokenizer.h"

namespace nmt {

/// Sentences without letters but for those of list marks, such as "a)", which translation returns
/// as they are. None for a source vocabulary without letters: its model translates numbers. Nor
/// tokens with marks of subwords (text/word_vocabulary.h), which a translation does not show.
class LetterlessSentences {
 public:
  explicit LetterlessSentences(const Tokenizer& source);
  bool contain(std::string_view sentence) const;

 private:
  bool exist_ = false;
  bool reads_tokens_ = false;
};

}  // namespace nmt
