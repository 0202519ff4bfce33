#pragma once

#include <string_view>

#include "text/tokenizer.h"

namespace nmt {

/// Sentences without letters, which translation returns as they are. None for a source vocabulary
/// without letters: its model translates numbers.
class LetterlessSentences {
 public:
  explicit LetterlessSentences(const Tokenizer& source);
  bool contain(std::string_view sentence) const;

 private:
  bool exist_ = false;
};

}  // namespace nmt
