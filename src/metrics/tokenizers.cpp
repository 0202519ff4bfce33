#include "metrics/tokenizers.h"

#include <utility>

#include "errors/error.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// Replaces, from left to right and without overlap, every pair of neighbours that fits.
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

bool is_digit(char32_t code) { return code >= U'0' && code <= U'9'; }
bool is_not_digit(char32_t code) { return !is_digit(code); }
bool is_period_or_comma(char32_t code) { return code == U'.' || code == U','; }
bool is_hyphen(char32_t code) { return code == U'-'; }
bool is_not_number(char32_t code) { return !is_number(code); }

// mteval-v13a: ASCII punctuation but apostrophe, hyphen, period and comma.
bool is_13a_symbol(char32_t code) {
  return (code >= U'{' && code <= U'~') || (code >= U'[' && code <= U'`') ||
         (code >= U' ' && code <= U'&') || (code >= U'(' && code <= U'+') ||
         (code >= U':' && code <= U'@') || code == U'/';
}

std::u32string tokenize_13a(std::string_view line) {
  std::string text(line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  if (text.find('&') != std::string::npos) {
    replace_all(text, "&quot;", "\"");
    replace_all(text, "&amp;", "&");
    replace_all(text, "&lt;", "<");
    replace_all(text, "&gt;", ">");
  }
  auto codes = surround(U' ' + to_code_points(text) + U' ', is_13a_symbol);
  codes = replace_pairs(codes, is_not_digit, is_period_or_comma, split_behind);
  codes = replace_pairs(codes, is_period_or_comma, is_not_digit, split_before);
  return replace_pairs(codes, is_digit, is_hyphen, split_behind);
}

std::u32string tokenize_intl(std::string_view line) {
  auto codes = replace_pairs(to_code_points(line), is_not_number, is_punctuation, split_behind);
  codes = replace_pairs(codes, is_punctuation, is_not_number, split_before);
  return surround(codes, is_symbol);
}

constexpr std::pair<const char*, BleuTokenizer> kNames[] = {{"13a", BleuTokenizer::k13a},
                                                            {"none", BleuTokenizer::kNone},
                                                            {"char", BleuTokenizer::kChar},
                                                            {"intl", BleuTokenizer::kIntl}};

}  // namespace

BleuTokenizer parse_bleu_tokenizer(const std::string& name) {
  for (const auto& [known, tokenizer] : kNames) {
    if (name == known) return tokenizer;
  }
  throw UsageError("unknown BLEU tokenizer '" + name + "'; it has to be 13a, none, char or intl");
}

std::string to_string(BleuTokenizer tokenizer) {
  for (const auto& [name, known] : kNames) {
    if (known == tokenizer) return name;
  }
  return "";
}

std::vector<std::string> tokenize(std::string_view line, BleuTokenizer tokenizer) {
  switch (tokenizer) {
    case BleuTokenizer::k13a:
      return split_whitespace(to_utf8(tokenize_13a(line)));
    case BleuTokenizer::kIntl:
      return split_whitespace(to_utf8(tokenize_intl(line)));
    case BleuTokenizer::kChar:
      return split_whitespace(
          to_utf8(surround(to_code_points(line), [](char32_t) { return true; })));
    case BleuTokenizer::kNone:
      break;
  }
  return split_whitespace(line);
}

}  // namespace nmt
