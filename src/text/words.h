#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// Tokens merged to words. A word begins with each token that begins with U+2581, so punctuation
/// belongs to the word it is written to, and a script without spaces has few words.
struct Words {
  std::vector<std::string> texts;
  std::vector<size_t> of_token;  // the word of each token
};

/// White space between written words: that of ASCII. A no-break space is within a word.
inline bool is_between_words(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/// The words of a text as they are written between white space.
std::vector<std::string> written_words(const std::string& text);

Words merge_pieces(const std::vector<int32_t>& tokens, const Tokenizer& tokenizer);

/// The same for a whole text, if possible with its written_words(): before normalization, and
/// whether or not the tokenizer knows their characters. A word may then have no token.
Words words_of_text(const std::string& text, const std::vector<int32_t>& tokens,
                    const Tokenizer& tokenizer);

}  // namespace nmt
