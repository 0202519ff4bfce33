#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
  kEthiopic,   // from here on: scripts of few texts, some with joiners
  kCherokee,
  kCanadian,  // Aboriginal Syllabics
  kMongolian,
  kTifinagh,
  kNko,
  kThaana,
  kSyriac,
  kOlChiki,
  kVai,
  kBamum,
  kYi,
  kAdlam,
  kOther,
};
constexpr size_t kNumScripts = static_cast<size_t>(Script::kOther) + 1;

/// The script's English name; "other" for kOther.
const char* script_name(Script script);

/// The script of a letter; mostly kOther for other characters.
Script script_of(char32_t code);

/// The script that a letter counts towards in a text: Han for kana.
Script counted_script(char32_t letter);

/// The script of most letters; `letters`: how many of each counted_script().
Script main_script(const std::array<int64_t, kNumScripts>& letters);

inline bool is_hangul(char32_t code) { return script_of(code) == Script::kHangul; }

/// Whether it is a character of Chinese, Japanese, Thai, Lao, Burmese, Khmer or Tibetan.
bool is_written_without_spaces(char32_t code);

/// Whether the text has characters that are written from right to left, such as Hebrew and Arabic.
bool has_right_to_left(std::string_view text);

/// Counts words separated by white space; in scripts without spaces, two characters count as a
/// word.
double number_of_words(std::u32string_view text);

}  // namespace nmt
