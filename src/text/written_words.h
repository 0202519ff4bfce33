#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nmt {

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

}  // namespace nmt
