#include "metrics/tokenizers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

/// Replaces every matching pair of neighbors, from left to right without overlap.
template <typename First, typename Second>
std::u32string replace_pairs(const std::u32string& text, First first, Second second,
                             std::u32string (*replacement)(char32_t, char32_t)) {
  std::u32string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && first(text[i]) && second(text[i + 1])) {
      result += replacement(text[i], text[i + 1]);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

template <typename Test>
std::u32string surround(const std::u32string& text, Test test) {
  std::u32string result;
  for (const char32_t code : text) {
    if (test(code)) {
      result += {U' ', code, U' '};
    } else {
      result += code;
    }
  }
  return result;
}

std::u32string split_behind(char32_t a, char32_t b) { return {a, U' ', b, U' '}; }
std::u32string split_before(char32_t a, char32_t b) { return {U' ', a, U' ', b}; }

bool is_not_digit(char32_t code) { return !is_ascii_digit(code); }
bool is_period_or_comma(char32_t code) { return code == U'.' || code == U','; }
bool is_hyphen(char32_t code) { return code == U'-'; }
bool is_not_number(char32_t code) { return !is_number(code); }

// mteval-v13a: ASCII punctuation except apostrophe, hyphen, period and comma.
bool is_13a_symbol(char32_t code) {
  return (code >= U'{' && code <= U'~') || (code >= U'[' && code <= U'`') ||
         (code >= U' ' && code <= U'&') || (code >= U'(' && code <= U'+') ||
         (code >= U':' && code <= U'@') || code == U'/';
}

// Splits off periods and commas unless they are within numbers, and hyphens after digits.
std::u32string separate_numbers(const std::u32string& text) {
  auto codes = replace_pairs(text, is_not_digit, is_period_or_comma, split_behind);
  codes = replace_pairs(codes, is_period_or_comma, is_not_digit, split_before);
  return replace_pairs(codes, is_ascii_digit, is_hyphen, split_behind);
}

std::u32string separate_13a(const std::u32string& text) {
  return separate_numbers(surround(text, is_13a_symbol));
}

std::u32string decode_entities(std::string_view line) {
  std::string text(line);
  if (text.find('&') != std::string::npos) {
    replace_all(text, "&quot;", "\"");
    replace_all(text, "&amp;", "&");
    replace_all(text, "&lt;", "<");
    replace_all(text, "&gt;", ">");
  }
  return U' ' + to_code_points(text) + U' ';
}

std::u32string tokenize_13a(std::string_view line) {
  std::string text(line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  return separate_13a(decode_entities(text));
}

// What sacreBLEU treats as Chinese: ideographs, their parts and punctuation, full-width forms. Its
// ranges U+2001..U+2A6D and U+2F81..U+2FA1 were meant to be Extension B and the compatibility
// supplement, but Python's \u takes four digits. Equal scores need the same ranges.
bool is_zh_character(char32_t code) {
  constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0x2001, 0x2A6D}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
      {0x31C0, 0x31EF}, {0x3200, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
      {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};
  return std::any_of(std::begin(kRanges), std::end(kRanges), [&](const auto& range) {
    return range.first <= code && code <= range.second;
  });
}

std::u32string without_outer_whitespace(const std::u32string& codes) {
  const auto begin = std::find_if_not(codes.begin(), codes.end(), is_whitespace);
  const auto end = std::find_if_not(codes.rbegin(), codes.rend(), is_whitespace).base();
  return begin < end ? std::u32string(begin, end) : std::u32string();
}

std::u32string tokenize_zh(std::string_view line) {
  return separate_13a(surround(without_outer_whitespace(to_code_points(line)), is_zh_character));
}

std::u32string tokenize_intl(std::string_view line) {
  auto codes = replace_pairs(to_code_points(line), is_not_number, is_punctuation, split_behind);
  codes = replace_pairs(codes, is_punctuation, is_not_number, split_before);
  return surround(codes, is_symbol);
}

}  // namespace

std::vector<std::string> tokenize(std::string_view line, BleuTokenizer tokenizer) {
  switch (tokenizer) {
    case BleuTokenizer::k13a:
      return split_whitespace(to_utf8(tokenize_13a(line)));
    case BleuTokenizer::kIntl:
      return split_whitespace(to_utf8(tokenize_intl(line)));
    case BleuTokenizer::kZh:
      return split_whitespace(to_utf8(tokenize_zh(line)));
    case BleuTokenizer::kChar:
      return split_whitespace(
          to_utf8(surround(to_code_points(line), [](char32_t) { return true; })));
    case BleuTokenizer::kNone:
      break;
  }
  return split_whitespace(line);
}

}  // namespace nmt
