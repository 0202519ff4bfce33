#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decode/decoding_constraints.h"
#include "text/tokenizer.h"
#include "translate/translator.h"

namespace nmt {

/// Maximum tokens of text that is not split, because memory grows with its length.
constexpr size_t kMaxUnsplitTokens = 2000;

/// Whether a prefix ends with white space, so that its last word is complete.
bool closes_its_last_word(std::string_view text);

/// Converts constraints to tokens. It must outlive the results, which refer to it. The constructor
/// is slow: it sorts the vocabulary.
class ConstraintEncoder {
 public:
  explicit ConstraintEncoder(const Tokenizer& target);

  const Tokenizer& target() const { return target_; }

  /// Throws Error for characters that the model does not know, and for over 2000 tokens.
  DecodingConstraints encode(const TranslationConstraints& constraints) const;

  /// Constraints that force exactly this translation. Throws Error likewise.
  DecodingConstraints encode_whole(const std::string& text) const;

 private:
  std::string text_of(int32_t token) const;
  std::string take_last_word(std::vector<int32_t>& tokens) const;
  PartialWord partial_word(std::string_view text) const;

  Tokenizer target_;
  bool has_byte_pieces_;
  TokenJoints joints_;
  std::vector<std::pair<std::string, int32_t>> pieces_;  // texts and ids, by text
  size_t longest_ = 0;                                   // bytes of the longest piece's text
};

}  // namespace nmt
