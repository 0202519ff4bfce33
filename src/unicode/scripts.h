#pragma once

#include <cstddef>
#include <string_view>

namespace nmt {

/// Writing systems, as far as code points distinguish them.
enum class Script {
  kLatin,
  kGreek,
  kCyrillic,
  kArmenian,
  kHebrew,
  kArabic,
  kDevanagari,
  kIndic,  // the other scripts of India and Sri Lanka
  kThai,
  kGeorgian,
  kHangul,
  kKana,
  kHan,
  kSoutheast,  // Lao, Tibetan, Burmese and Khmer
  kOther,
};
constexpr size_t kNumScripts = 15;

/// Its English name; "other" for kOther.
const char* script_name(Script script);

/// The script of a letter's code point; of other characters mostly kOther.
Script script_of(char32_t code);

/// Of Chinese, Japanese, Thai, Lao, Burmese, Khmer and Tibetan.
bool is_written_without_spaces(char32_t code);

/// Words separated by white space; of scripts written without spaces two characters are one.
double number_of_words(std::u32string_view text);

}  // namespace nmt
