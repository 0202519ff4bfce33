#include "markup/quoted_text.h"

#include <algorithm>
#include <cstdlib>

#include "unicode/utf8.h"

namespace nmt {
namespace {

/// Length of the octal or hexadecimal digits of an escape, with the x, as gettext reads them; 0 if
/// there are none.
size_t number_length(std::string_view escape) {
  if (escape.front() != 'x') {
    return std::min<size_t>(3, std::min(escape.find_first_not_of("01234567"), escape.size()));
  }
  const size_t end = escape.find_first_not_of("0123456789abcdefABCDEF", 1);
  return end > 1 ? std::min(end, escape.size()) : 0;
}

}  // namespace

QuotedText unquote(std::string_view quoted) {
  QuotedText read;
  std::vector<size_t> numbers;  // bytes of the text that are written as such escapes
  bool inside = false;
  for (size_t at = 0; at < quoted.size(); ++at) {
    if (quoted[at] == '"') {
      inside = !inside;
    } else if (inside) {
      read.begin.push_back(at);
      char c = quoted[at];
      if (c == '\\') {
        constexpr std::string_view kEscaped = "nrt\"\\";
        const size_t name = kEscaped.find(quoted[++at]);
        const size_t length = number_length(quoted.substr(at));
        if (length > 0) {
          const std::string digits(quoted.substr(at, length));
          const bool is_hex = digits.front() == 'x';
          c = static_cast<char>(
              std::strtoul(digits.c_str() + (is_hex ? 1 : 0), nullptr, is_hex ? 16 : 8));
          numbers.push_back(read.text.size());
          at += length - 1;
        } else {
          while (continues_character(quoted[at + 1])) ++at;
          c = name == std::string_view::npos ? '\0' : "\n\r\t\"\\"[name];
        }
      }
      read.text += c;
    }
  }
  // The quotes between two lines belong to the byte before them.
  read.begin.push_back(quoted.size() - 1);
  const bool is_utf8 = !find_invalid_utf8(read.text);
  for (const size_t at : numbers) {
    const auto byte = static_cast<unsigned char>(read.text[at]);
    const bool is_text = byte < 0x80 ? byte >= ' ' && byte != 0x7F : is_utf8;
    if (!is_text) read.text[at] = '\0';
  }
  return read;
}

}  // namespace nmt
