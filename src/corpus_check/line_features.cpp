#include "corpus_check/line_features.h"

#include <utf8proc.h>

#include <algorithm>

#include "unicode/utf8.h"

namespace nmt {
namespace {

/// What a line's letters are counted as.
Script counted_script(int32_t codepoint) {
  const auto script = script_of(static_cast<char32_t>(codepoint));
  return script == Script::kKana ? Script::kHan : script;
}

bool is_letter(utf8proc_category_t category) {
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
         category == UTF8PROC_CATEGORY_LT || category == UTF8PROC_CATEGORY_LM ||
         category == UTF8PROC_CATEGORY_LO;
}

bool is_space(int32_t codepoint, utf8proc_category_t category) {
  return codepoint == '\t' || category == UTF8PROC_CATEGORY_ZS;
}

/// Spreads what is alike over all bits (the finaliser of SplitMix64, Steele et al. 2014).
uint64_t spread(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

/// Takes a line's characters one by one.
class FeatureReader {
 public:
  void take(int32_t codepoint) {
    const auto category = utf8proc_category(codepoint);
    ++features_.characters;
    if (category == UTF8PROC_CATEGORY_CC && codepoint != '\t') features_.control = true;
    const bool space = is_space(codepoint, category);
    if (!space && in_space_) ++features_.words;
    in_space_ = space;
    const bool digit = category == UTF8PROC_CATEGORY_ND;
    if (is_letter(category)) {
      ++features_.letters;
      ++features_.letters_of[static_cast<size_t>(counted_script(codepoint))];
    }
    if (digit) features_.numbers += spread(static_cast<uint64_t>(codepoint) + 1);
    if (digit || is_letter(category)) {
      features_.text = spread(features_.text + static_cast<uint64_t>(utf8proc_tolower(codepoint)));
    }
  }

  LineFeatures features_;

 private:
  bool in_space_ = true;
};

}  // namespace

const char* script_name(Script script) {
  constexpr const char* kNames[] = {"Latin",  "Greek",      "Cyrillic",    "Armenian", "Hebrew",
                                    "Arabic", "Devanagari", "Indic",       "Thai",     "Georgian",
                                    "Hangul", "Kana",       "Han or Kana", "other"};
  return kNames[static_cast<size_t>(script)];
}

LineFeatures features_of(std::string_view line) {
  FeatureReader reader;
  if (find_invalid_utf8(line)) {
    reader.features_.valid = false;
    return reader.features_;
  }
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(line.data());
  auto left = static_cast<utf8proc_ssize_t>(line.size());
  while (left > 0) {
    utf8proc_int32_t codepoint = 0;
    const auto taken = utf8proc_iterate(at, left, &codepoint);
    if (taken <= 0) break;
    reader.take(codepoint);
    at += taken;
    left -= taken;
  }
  return reader.features_;
}

Script main_script(const std::array<int64_t, kNumScripts>& letters_of) {
  const auto* most = std::max_element(letters_of.begin(), letters_of.end());
  return static_cast<Script>(most - letters_of.begin());
}

}  // namespace nmt
