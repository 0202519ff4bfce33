#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// A user-perceived character: a letter with its marks, a syllable of conjoining jamo.
struct Character {
  std::string_view bytes;
  size_t width = 0;  // terminal columns; 2 for Hangul and other wide characters
};

/// Splits well-formed UTF-8 into user-perceived characters.
std::vector<Character> split_characters(std::string_view text);

/// Text that is safe to print on a terminal: invalid UTF-8 and control characters become U+FFFD.
std::string printable(std::string_view text);
std::vector<std::string> printable_all(const std::vector<std::string>& texts);

/// Wraps lines at spaces to rows of at most `columns`. The first row starts at column `used`, the
/// others are indented by `indent` spaces. Words wider than a row are left to the terminal.
std::string wrapped(const std::string& text, size_t columns, size_t used = 0, size_t indent = 0);

/// The text, truncated to `columns` with "…" if it is wider.
std::string shortened(const std::string& text, size_t columns);

/// The text padded with spaces on the right, or left, to at least `columns`.
std::string padded_to(const std::string& text, size_t columns);
std::string right_aligned(const std::string& text, size_t columns);

/// Columns of the widest text.
size_t widest(const std::vector<std::string>& texts);

}  // namespace nmt
