#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// The content of a quoted string of a .po file, and where each of its bytes comes from.
struct QuotedText {
  std::string text;  // \n, \t, \", \\ and the numbers of characters resolved; '\0' for others
  std::vector<size_t> begin;  // offset of each byte, and of the end, before the closing quote
};

/// Reads one or more quoted lines, from the first quote to the last.
QuotedText unquote(std::string_view quoted);

}  // namespace nmt
