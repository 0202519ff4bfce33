#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// What a reader takes for one character: a letter with its marks, a syllable of conjoining jamo.
struct Character {
  std::string_view bytes;
  size_t width = 0;  // in columns of a terminal; Hangul and other wide ones take 2
};

/// Of well-formed UTF-8, all of it in order.
std::vector<Character> split_characters(std::string_view text);

/// The text as a terminal may be shown it: what is not UTF-8 and what would steer the terminal is
/// U+FFFD.
std::string printable(std::string_view text);

/// The text, or as much of it as fits into `columns` with "…" behind it.
std::string shortened(const std::string& text, size_t columns);

/// With spaces behind it, `columns` wide at least.
std::string padded_to(const std::string& text, size_t columns);

}  // namespace nmt
