#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// Text as code points, as Python counts characters; ill-formed bytes become U+FFFD.
std::u32string to_code_points(std::string_view text);
std::string to_utf8(std::u32string_view text);

/// Python's str.split(): pieces between runs of Unicode white space.
std::vector<std::string> split_whitespace(std::string_view text);

/// Python's str.lower(): Unicode's mapping, İ as two characters, Σ at the end of a word as ς.
std::string to_lower(std::string_view text);

/// Unicode's composed form (NFC). Ill-formed text stays as it is.
std::string to_nfc(std::string_view text);

/// NFKC with case folding. Ill-formed text stays as it is.
std::string to_folded(std::string_view text);

/// Whether the text has a letter of any script.
bool has_letters(std::string_view text);
bool has_letter_or_number(std::string_view text);

/// The first and the last character of well-formed UTF-8; 0 for no text.
char32_t first_code(std::string_view text);
char32_t last_code(std::string_view text);

/// A view of the text without leading and trailing `blanks`.
std::string_view trimmed(std::string_view text, std::string_view blanks = " ");

bool is_whitespace(char32_t code);
bool is_letter(char32_t code);        // Unicode category L*
bool is_lower(char32_t code);         // Ll
bool is_upper(char32_t code);         // Lu
bool has_case(char32_t code);         // either
bool is_punctuation(char32_t code);   // P*
bool is_number(char32_t code);        // N*
bool is_alphanumeric(char32_t code);  // L* or N*
bool is_combining(char32_t code);     // M*
bool is_symbol(char32_t code);        // S*

/// The value of a decimal digit of any script (Nd), or -1.
int digit_value(char32_t code);

inline bool is_ascii_digit(char32_t code) { return code >= U'0' && code <= U'9'; }
inline bool is_one_of(char32_t code, std::u32string_view codes) {
  return codes.find(code) != std::u32string_view::npos;
}

}  // namespace nmt
