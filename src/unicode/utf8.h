#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nmt {

/// Offset of the first byte of ill-formed UTF-8 (Unicode 15, table 3-7), if any.
std::optional<size_t> find_invalid_utf8(std::string_view text);

/// Whether the text begins with a byte order mark of UTF-16 or UTF-32.
bool is_wide_text(std::string_view text);

/// For messages: how to convert such a file.
constexpr std::string_view kWideConversion = "iconv -f UTF-16 -t UTF-8";

/// For messages: how to convert another file that is not UTF-8.
constexpr std::string_view kConversion =
    "iconv -f WINDOWS-1252 -t UTF-8 (or from its encoding, e.g. EUC-KR)";

/// Throws Error "FILE: line N: byte K is not valid UTF-8 ..." unless the line is well formed.
void require_utf8(std::string_view line, const std::string& file, int64_t line_number);

/// Bytes of the character that begins the text; sets its code point. 0 if it is ill-formed.
size_t decode_character(std::string_view text, char32_t& code);

/// The text with every ill-formed byte replaced by U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

// The following take well-formed text.

/// Whether a byte continues a character. All others begin one.
inline bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// Bytes of the character that begins at `begin`.
inline size_t character_length(std::string_view text, size_t begin) {
  size_t end = begin + 1;
  while (end < text.size() && continues_character(text[end])) ++end;
  return end - begin;
}

/// Bytes of the character that ends the text; 0 for no text.
inline size_t last_character_length(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && continues_character(text[begin - 1])) --begin;
  return text.size() - (begin > 0 ? begin - 1 : begin);
}

/// The number of code points.
inline size_t count_characters(std::string_view text) {
  return text.size() -
         static_cast<size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

/// Columns of a code point on a terminal: East Asian wide characters have 2, combining marks 0,
/// vowel signs of Hindi, Burmese or Khmer that stand beside their letter 1.
size_t code_point_width(char32_t code);

/// Columns of the text on a terminal.
size_t display_width(std::string_view text);

}  // namespace nmt
