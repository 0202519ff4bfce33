#include "unicode/code_points.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "unicode/utf8.h"

namespace nmt {
namespace {

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

char32_t simple_lower(char32_t code) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

bool is_cased(char32_t code) {
  const auto value = category(code);
  return value == UTF8PROC_CATEGORY_LU || value == UTF8PROC_CATEGORY_LL ||
         value == UTF8PROC_CATEGORY_LT || simple_lower(code) != code ||
         utf8proc_toupper(static_cast<utf8proc_int32_t>(code)) !=
             static_cast<utf8proc_int32_t>(code);
}

// Unicode 15, section 3.13: marks, modifiers and word-internal punctuation.
bool is_case_ignorable(char32_t code) {
  constexpr std::u32string_view kWithinWords =
      U"'.:·\u0387\u055F\u05F4\u2018\u2019\u2024\u2027"
      U"\uFE13\uFE52\uFE55\uFF07\uFF0E\uFF1A";
  const auto value = category(code);
  return value == UTF8PROC_CATEGORY_MN || value == UTF8PROC_CATEGORY_ME ||
         value == UTF8PROC_CATEGORY_CF || value == UTF8PROC_CATEGORY_LM ||
         value == UTF8PROC_CATEGORY_SK || is_one_of(code, kWithinWords);
}

/// The context Final_Sigma of Unicode 15, table 3-17.
bool ends_word(const std::u32string& codes, size_t index) {
  const auto starts_with_letter = [](auto begin, auto end) {
    const auto at = std::find_if_not(begin, end, is_case_ignorable);
    return at != end && is_cased(*at);
  };
  const auto here = codes.begin() + static_cast<std::ptrdiff_t>(index);
  return starts_with_letter(std::make_reverse_iterator(here), codes.rend()) &&
         !starts_with_letter(here + 1, codes.end());
}

/// The text as utf8proc maps it; ill-formed text as it is.
std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* bytes = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &bytes,
                                 static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(bytes, std::free);
  if (size < 0) return std::string(text);
  return {reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)};
}

}  // namespace

std::u32string to_code_points(std::string_view text) {
  std::u32string codes;
  codes.reserve(text.size());
  while (!text.empty()) {
    char32_t code = U'\uFFFD';
    const size_t length = decode_character(text, code);
    codes.push_back(code);
    text.remove_prefix(std::max<size_t>(length, 1));
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
  const auto codes = to_code_points(text);
  std::u32string lower;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] == U'İ') {
      lower += U"i\u0307";
    } else if (codes[i] == U'Σ' && ends_word(codes, i)) {
      lower += U'ς';
    } else {
      lower += simple_lower(codes[i]);
    }
  }
  return to_utf8(lower);
}

std::string to_nfc(std::string_view text) {
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string to_folded(std::string_view text) {
  return mapped(text, UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
}

char32_t first_code(std::string_view text) {
  char32_t code = text.empty() ? U'\0' : U'\uFFFD';
  decode_character(text, code);
  return code;
}

char32_t last_code(std::string_view text) {
  return first_code(text.substr(text.size() - last_character_length(text)));
}

bool has_letters(std::string_view text) {
  const auto codes = to_code_points(text);
  return std::any_of(codes.begin(), codes.end(), is_letter);
}

bool has_letter_or_number(std::string_view text) {
  const auto codes = to_code_points(text);
  return std::any_of(codes.begin(), codes.end(), is_alphanumeric);
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

bool is_whitespace(char32_t code) {
  // As Python's str.isspace(): category Zs, and the separators and controls below.
  if (code < 128) return (code >= 9 && code <= 13) || (code >= 28 && code <= 32);
  return code == 0x85 || code == 0x2028 || code == 0x2029 || category(code) == UTF8PROC_CATEGORY_ZS;
}

bool is_letter(char32_t code) {
  const auto value = category(code);
  return value >= UTF8PROC_CATEGORY_LU && value <= UTF8PROC_CATEGORY_LO;
}

bool is_lower(char32_t code) { return category(code) == UTF8PROC_CATEGORY_LL; }

bool is_upper(char32_t code) { return category(code) == UTF8PROC_CATEGORY_LU; }

bool has_case(char32_t code) { return is_upper(code) || is_lower(code); }

bool is_punctuation(char32_t code) {
  const auto value = category(code);
  return value >= UTF8PROC_CATEGORY_PC && value <= UTF8PROC_CATEGORY_PO;
}

bool is_number(char32_t code) {
  const auto value = category(code);
  return value >= UTF8PROC_CATEGORY_ND && value <= UTF8PROC_CATEGORY_NO;
}

bool is_alphanumeric(char32_t code) { return is_letter(code) || is_number(code); }

bool is_combining(char32_t code) {
  const auto value = category(code);
  return value >= UTF8PROC_CATEGORY_MN && value <= UTF8PROC_CATEGORY_ME;
}

bool is_symbol(char32_t code) {
  const auto value = category(code);
  return value >= UTF8PROC_CATEGORY_SM && value <= UTF8PROC_CATEGORY_SO;
}

int digit_value(char32_t code) {
  if (category(code) != UTF8PROC_CATEGORY_ND) return -1;
  // Each script has a run of ten, from zero up; a few runs follow each other directly.
  char32_t zero = code;
  while (category(zero - 1) == UTF8PROC_CATEGORY_ND) --zero;
  return static_cast<int>(code - zero) % 10;
}

}  // namespace nmt
