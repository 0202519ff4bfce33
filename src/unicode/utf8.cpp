#include "unicode/utf8.h"

#include <utf8proc.h>

#include "errors/error.h"

namespace nmt {

size_t decode_character(std::string_view text, char32_t& code) {
  utf8proc_int32_t value = 0;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &value);
  if (length <= 0) return 0;
  code = static_cast<char32_t>(value);
  return static_cast<size_t>(length);
}

std::optional<size_t> find_invalid_utf8(std::string_view text) {
  for (size_t offset = 0; offset < text.size();) {
    if (static_cast<unsigned char>(text[offset]) < 0x80) {
      ++offset;
      continue;
    }
    char32_t code = 0;
    const size_t length = decode_character(text.substr(offset), code);
    if (length == 0) return offset;
    offset += length;
  }
  return std::nullopt;
}

bool is_wide_text(std::string_view text) {
  return text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF";
}

void require_utf8(std::string_view line, const std::string& file, int64_t line_number) {
  if (const auto offset = find_invalid_utf8(line)) {
    throw Error(
        file + ": line " + std::to_string(line_number) + ": byte " + std::to_string(*offset + 1) +
        " is not valid UTF-8; convert the file, for example with " + std::string(kConversion));
  }
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string result;
  while (const auto offset = find_invalid_utf8(text)) {
    result.append(text.substr(0, *offset)).append("\xEF\xBF\xBD");
    text.remove_prefix(*offset + 1);
  }
  return result.append(text);
}

size_t code_point_width(char32_t code_point) {
  const auto code = static_cast<utf8proc_int32_t>(code_point);
  // In terminals, spacing marks have a column, and the vowels and finals of conjoining jamo none.
  const auto& property = *utf8proc_get_property(code);
  if (property.boundclass == UTF8PROC_BOUNDCLASS_V ||
      property.boundclass == UTF8PROC_BOUNDCLASS_T) {
    return 0;
  }
  const auto width = static_cast<size_t>(utf8proc_charwidth(code));
  return width == 0 && property.category == UTF8PROC_CATEGORY_MC ? 1 : width;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    char32_t code = 0;
    const size_t length = decode_character(text, code);
    width += length == 0 ? 1 : code_point_width(code);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return width;
}

}  // namespace nmt
