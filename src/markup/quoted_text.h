#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// What the quotes of a string in a .po file hold, with where each byte comes from.
struct QuotedText {
  std::string text;           // escapes of letters and quotes resolved; '\0' for others
  std::vector<size_t> begin;  // of each byte; and where the last ends, before the closing quote
};

/// Of one or more quoted lines, from the first quote to the last.
QuotedText unquote(std::string_view quoted);

}  // namespace nmt
