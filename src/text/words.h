#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// Tokens merged into words. Each token that begins with U+2581 starts a word, so punctuation
/// belongs to the word that it is attached to, and a script without spaces has few words.
struct Words {
  std::vector<std::string> texts;
  std::vector<size_t> of_token;  // the word of each token
};

/// Whether the byte separates words: only ASCII white space does; a no-break space is part of a
/// word.
inline bool is_between_words(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/// A half-open range of bytes or words: `begin` to before `end`.
struct Extent {
  size_t begin = 0;
  size_t end = 0;

  size_t size() const { return end - begin; }
};

/// The bytes of each word of a text as it is written between white space, and the words.
std::vector<Extent> word_extents(std::string_view text);
std::vector<std::string> written_words(const std::string& text);

Words merge_pieces(const std::vector<int32_t>& tokens, const Tokenizer& tokenizer);

/// The same for a whole text, but with the texts of its written_words() if they can be aligned: not
/// normalized, and including unknown characters. Some words may then have no token. For a tokenizer
/// that reads tokens, each token is a word.
Words words_of_text(const std::string& text, const std::vector<int32_t>& tokens,
                    const Tokenizer& tokenizer);

}  // namespace nmt
