#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"
#include "text/written_words.h"

namespace nmt {

/// Tokens merged into words. Each token that begins with U+2581 starts a word, so punctuation
/// belongs to the word that it is attached to, and a script without spaces has few words.
struct Words {
  std::vector<std::string> texts;
  std::vector<size_t> of_token;  // the word of each token
  // For each token, whether it is punctuation of a word that has other tokens; empty: none is.
  std::vector<bool> is_mark = {};
};

/// Words::is_mark.
std::vector<bool> marks_of_words(const std::vector<int32_t>& tokens,
                                 const std::vector<size_t>& of_token, const Tokenizer& tokenizer);

Words merge_pieces(const std::vector<int32_t>& tokens, const Tokenizer& tokenizer);

/// The same for a whole text, but with the texts of its written_words() if they can be aligned: not
/// normalized, and including unknown characters. Some words may then have no token. For a tokenizer
/// that reads tokens, each token is a word.
Words words_of_text(const std::string& text, const std::vector<int32_t>& tokens,
                    const Tokenizer& tokenizer);

}  // namespace nmt
