#include "unicode/scripts.h"

#include <utf8proc.h>

#include <algorithm>
#include <iterator>

#include "unicode/code_points.h"

namespace nmt {
namespace {

struct ScriptRange {
  char32_t first;
  char32_t last;
  Script script;
};

// Blocks of the Unicode Character Database (Blocks.txt), restricted to letters; in ascending order.
constexpr ScriptRange kRanges[] = {
    {0x41, 0x5A, Script::kLatin},         {0x61, 0x7A, Script::kLatin},
    {0xAA, 0xAA, Script::kLatin},         {0xBA, 0xBA, Script::kLatin},
    {0xC0, 0x2AF, Script::kLatin},        {0x370, 0x3FF, Script::kGreek},
    {0x400, 0x52F, Script::kCyrillic},    {0x531, 0x58F, Script::kArmenian},
    {0x590, 0x5FF, Script::kHebrew},      {0x600, 0x6FF, Script::kArabic},
    {0x700, 0x74F, Script::kSyriac},      {0x750, 0x77F, Script::kArabic},
    {0x780, 0x7BF, Script::kThaana},      {0x7C0, 0x7FF, Script::kNko},
    {0x8A0, 0x8FF, Script::kArabic},      {0x900, 0x97F, Script::kDevanagari},
    {0x980, 0xDFF, Script::kIndic},       {0xE01, 0xE7F, Script::kThai},
    {0xE80, 0x109F, Script::kSoutheast},  {0x10A0, 0x10FF, Script::kGeorgian},
    {0x1100, 0x11FF, Script::kHangul},    {0x1200, 0x139F, Script::kEthiopic},
    {0x13A0, 0x13FF, Script::kCherokee},  {0x1400, 0x167F, Script::kCanadian},
    {0x1780, 0x17FF, Script::kSoutheast}, {0x1800, 0x18AF, Script::kMongolian},
    {0x18B0, 0x18FF, Script::kCanadian},  {0x1C50, 0x1C7F, Script::kOlChiki},
    {0x1C80, 0x1C8F, Script::kCyrillic},  {0x1C90, 0x1CBF, Script::kGeorgian},
    {0x1E00, 0x1EFF, Script::kLatin},     {0x1F00, 0x1FFF, Script::kGreek},
    {0x2C60, 0x2C7F, Script::kLatin},     {0x2D00, 0x2D2F, Script::kGeorgian},
    {0x2D30, 0x2D7F, Script::kTifinagh},  {0x2D80, 0x2DDF, Script::kEthiopic},
    {0x2E80, 0x2FDF, Script::kHan},       {0x3005, 0x3007, Script::kHan},
    {0x3021, 0x3029, Script::kHan},       {0x3041, 0x30FF, Script::kKana},
    {0x3100, 0x312F, Script::kHan},       {0x3130, 0x318F, Script::kHangul},
    {0x31A0, 0x31EF, Script::kHan},       {0x31F0, 0x31FF, Script::kKana},
    {0x3400, 0x4DBF, Script::kHan},       {0x4E00, 0x9FFF, Script::kHan},
    {0xA000, 0xA4CF, Script::kYi},        {0xA500, 0xA63F, Script::kVai},
    {0xA640, 0xA69F, Script::kCyrillic},  {0xA6A0, 0xA6FF, Script::kBamum},
    {0xA722, 0xA7FF, Script::kLatin},     {0xA960, 0xA97F, Script::kHangul},
    {0xAB00, 0xAB2F, Script::kEthiopic},  {0xAB30, 0xAB6F, Script::kLatin},
    {0xAB70, 0xABBF, Script::kCherokee},  {0xAC00, 0xD7FF, Script::kHangul},
    {0xF900, 0xFAFF, Script::kHan},       {0xFB1D, 0xFB4F, Script::kHebrew},
    {0xFB50, 0xFDFF, Script::kArabic},    {0xFE70, 0xFEFE, Script::kArabic},
    {0xFF21, 0xFF3A, Script::kLatin},     {0xFF41, 0xFF5A, Script::kLatin},
    {0xFF66, 0xFF9F, Script::kKana},      {0xFFA0, 0xFFDC, Script::kHangul},
    {0x1E900, 0x1E95F, Script::kAdlam},   {0x20000, 0x3FFFF, Script::kHan},
};

}  // namespace

const char* script_name(Script script) {
  constexpr const char* kNames[] = {"Latin",
                                    "Greek",
                                    "Cyrillic",
                                    "Armenian",
                                    "Hebrew",
                                    "Arabic",
                                    "Devanagari",
                                    "Indic",
                                    "Thai",
                                    "Georgian",
                                    "Hangul",
                                    "Kana",
                                    "Han or Kana",
                                    "Lao, Tibetan, Burmese or Khmer",
                                    "Ethiopic",
                                    "Cherokee",
                                    "Canadian Aboriginal",
                                    "Mongolian",
                                    "Tifinagh",
                                    "N'Ko",
                                    "Thaana",
                                    "Syriac",
                                    "Ol Chiki",
                                    "Vai",
                                    "Bamum",
                                    "Yi",
                                    "Adlam",
                                    "other"};
  static_assert(std::size(kNames) == kNumScripts);
  return kNames[static_cast<size_t>(script)];
}

Script script_of(char32_t code) {
  const auto* range =
      std::lower_bound(std::begin(kRanges), std::end(kRanges), code,
                       [](const ScriptRange& entry, char32_t value) { return entry.last < value; });
  const bool within = range != std::end(kRanges) && code >= range->first;
  return within ? range->script : Script::kOther;
}

Script counted_script(char32_t letter) {
  const auto script = script_of(letter);
  return script == Script::kKana ? Script::kHan : script;
}

Script main_script(const std::array<int64_t, kNumScripts>& letters) {
  const auto* most = std::max_element(letters.begin(), letters.end());
  return static_cast<Script>(most - letters.begin());
}

bool is_written_without_spaces(char32_t code) {
  const Script script = script_of(code);
  return script == Script::kHan || script == Script::kKana || script == Script::kThai ||
         script == Script::kSoutheast;
}

bool has_right_to_left(std::string_view text) {
  const auto codes = to_code_points(text);
  return std::any_of(codes.begin(), codes.end(), [](char32_t code) {
    const auto direction = utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->bidi_class;
    return direction == UTF8PROC_BIDI_CLASS_R || direction == UTF8PROC_BIDI_CLASS_AL;
  });
}

double number_of_words(std::u32string_view text) {
  constexpr double kCharacterWords = 0.5;
  double words = 0;
  bool within = false;
  for (const char32_t code : text) {
    if (is_whitespace(code)) {
      within = false;
    } else if (is_written_without_spaces(code)) {
      words += kCharacterWords;
    } else if (!within) {
      words += 1;
      within = true;
    }
  }
  return words;
}

}  // namespace nmt
