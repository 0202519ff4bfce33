#include "unicode/letter_case.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "unicode/code_points.h"

namespace nmt {
namespace {

char32_t mapped(char32_t code, utf8proc_int32_t (*map)(utf8proc_int32_t)) {
  return static_cast<char32_t>(map(static_cast<utf8proc_int32_t>(code)));
}

bool is_lower_case(char32_t code) { return mapped(code, utf8proc_toupper) != code || code == U'ß'; }

void append_upper(char32_t code, std::u32string& text) {
  // Unicode's SpecialCasing.txt, without ligatures and Greek with subscripts.
  constexpr std::pair<char32_t, std::u32string_view> kSpecial[] = {{U'ß', U"SS"},
                                                                   {U'ŉ', U"ʼN"},
                                                                   {U'ǰ', U"J\u030C"},
                                                                   {U'ΐ', U"Ι\u0308\u0301"},
                                                                   {U'ΰ', U"Υ\u0308\u0301"},
                                                                   {U'և', U"ԵՒ"}};
  for (const auto& [lower, upper] : kSpecial) {
    if (lower != code) continue;
    text += upper;
    return;
  }
  text += mapped(code, utf8proc_toupper);
}

/// The index of the first cased letter, or the size if there is none.
size_t first_cased(std::u32string_view word) {
  return static_cast<size_t>(
      std::find_if(word.begin(), word.end(),
                   [](char32_t code) { return is_lower_case(code) || is_upper_case(code); }) -
      word.begin());
}

/// Statistics of the letter case of a text's words.
struct CaseCounts {
  size_t words = 0;           // words with cased letters
  size_t in_capitals = 0;     // words
  size_t in_lower = 0;        // words without a capital
  size_t later_capitals = 0;  // words after the first that begin with a capital
  size_t upper = 0;           // letters in those words
  bool capitalized = true;    // all words, as LetterCase::kTitleCase requires

  void add(std::u32string_view word) {
    const size_t first = first_cased(word);
    if (first == word.size()) return;
    const bool begins_upper = is_upper_case(word[first]);
    constexpr size_t kShortWord = 3;
    const auto own_upper =
        static_cast<size_t>(std::count_if(word.begin(), word.end(), is_upper_case));
    const auto own_lower =
        static_cast<size_t>(std::count_if(word.begin(), word.end(), is_lower_case));
    capitalized = capitalized && (begins_upper || own_upper + own_lower <= kShortWord);
    if (words > 0 && begins_upper) ++later_capitals;
    ++words;
    if (own_upper == 0) ++in_lower;
    if (!is_in_capitals(word)) return;
    ++in_capitals;
    upper += own_upper;
  }
};

}  // namespace

bool is_upper_case(char32_t code) { return mapped(code, utf8proc_tolower) != code; }

bool is_in_capitals(std::u32string_view word) {
  return std::any_of(word.begin(), word.end(), is_upper_case) &&
         std::none_of(word.begin(), word.end(),
                      [](char32_t code) { return is_lower_case(code) && code != U'ß'; });
}

std::string to_upper(std::string_view text) {
  std::u32string upper;
  for (const char32_t code : to_code_points(text)) append_upper(code, upper);
  return to_utf8(upper);
}

std::string to_capitalized(std::string_view word) {
  auto codes = to_code_points(to_lower(word));
  const size_t first = first_cased(codes);
  if (first < codes.size()) codes[first] = mapped(codes[first], utf8proc_totitle);
  return to_utf8(codes);
}

std::string to_title_case(std::string_view text) {
  auto codes = to_code_points(text);
  bool begins = true;
  for (char32_t& code : codes) {
    if (is_whitespace(code)) {
      begins = true;
    } else if (begins && (is_lower_case(code) || is_upper_case(code))) {
      code = mapped(code, utf8proc_totitle);
      begins = false;
    }
  }
  return to_utf8(codes);
}

LetterCase letter_case_of(std::string_view text) {
  constexpr size_t kLongWord = 4;
  constexpr size_t kTitleWords = 3;
  const auto codes = to_code_points(text);
  CaseCounts counts;
  for (auto begin = codes.begin(); begin != codes.end();) {
    const auto end = std::find_if(begin, codes.end(), is_whitespace);
    counts.add({&*begin, static_cast<size_t>(end - begin)});
    begin = std::find_if_not(end, codes.end(), is_whitespace);
  }
  const bool enough = counts.words >= 2 || counts.upper >= kLongWord;
  // One word in five may be written otherwise, such as "iPhone".
  if (enough && counts.in_lower == 0 && counts.in_capitals * 5 >= counts.words * 4 &&
      counts.upper > counts.in_capitals) {
    return LetterCase::kAllCaps;
  }
  const bool title = counts.capitalized && counts.later_capitals > 0 &&
                     counts.words >= kTitleWords && counts.in_capitals < counts.words;
  return title ? LetterCase::kTitleCase : LetterCase::kOrdinary;
}

}  // namespace nmt
