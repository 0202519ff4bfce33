#include "evaluate/unicode.h"

#include <utf8proc.h>

namespace nmt {
namespace {

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

}  // namespace

std::u32string to_code_points(std::string_view text) {
  std::u32string codes;
  codes.reserve(text.size());
  while (!text.empty()) {
    utf8proc_int32_t code = 0;
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    const auto length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &code);
    codes.push_back(length > 0 ? static_cast<char32_t>(code) : U'\uFFFD');
    text.remove_prefix(length > 0 ? static_cast<size_t>(length) : 1);
  }
  return codes;
}

std::string to_utf8(std::u32string_view text) {
  std::string result;
  for (const char32_t code : text) {
    utf8proc_uint8_t bytes[4];
    const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
    result.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
  }
  return result;
}

std::vector<std::string> split_whitespace(std::string_view text) {
  std::vector<std::string> words;
  std::u32string word;
  for (const char32_t code : to_code_points(text) + U' ') {
    if (!is_whitespace(code)) {
      word.push_back(code);
    } else if (!word.empty()) {
      words.push_back(to_utf8(word));
      word.clear();
    }
  }
  return words;
}

std::string to_lower(std::string_view text) {
  auto codes = to_code_points(text);
  for (auto& code : codes) {
    code = static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
  }
  return to_utf8(codes);
}

bool is_whitespace(char32_t code) {
  // What Python's str.isspace() holds true: category Zs, and the separators and controls below.
  if (code < 128) return (code >= 9 && code <= 13) || (code >= 28 && code <= 32);
  return code == 0x85 || code == 0x2028 || code == 0x2029 || category(code) == UTF8PROC_CATEGORY_ZS;
}

bool is_punctuation(char32_t code) {
  const auto value = category(code);
  return value >= UTF8PROC_CATEGORY_PC && value <= UTF8PROC_CATEGORY_PO;
}

bool is_number(char32_t code) {
  const auto value = category(code);
  return value >= UTF8PROC_CATEGORY_ND && value <= UTF8PROC_CATEGORY_NO;
}

bool is_symbol(char32_t code) {
  const auto value = category(code);
  return value >= UTF8PROC_CATEGORY_SM && value <= UTF8PROC_CATEGORY_SO;
}

}  // namespace nmt
