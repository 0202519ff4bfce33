#include "corpus_check/line_features.h"

#include <utf8proc.h>

#include <algorithm>

#include "numbers/mix_bits.h"
#include "text/sentence_key.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

/// The script that a letter counts towards.
Script counted_script(char32_t code) {
  const auto script = script_of(code);
  return script == Script::kKana ? Script::kHan : script;
}

/// Computes the features from a line's characters, one by one.
class FeatureReader {
 public:
  void take(char32_t code) {
    const auto category = utf8proc_category(static_cast<int32_t>(code));
    ++features_.characters;
    if (category == UTF8PROC_CATEGORY_CC && code != U'\t') features_.control = true;
    if (is_letter(code)) {
      ++features_.letters;
      ++features_.letters_of[static_cast<size_t>(counted_script(code))];
    }
    if (category == UTF8PROC_CATEGORY_ND) features_.numbers += mix_bits(uint64_t{code} + 1);
  }

  LineFeatures features_;
};

}  // namespace

LineFeatures features_of(std::string_view line) {
  FeatureReader reader;
  if (find_invalid_utf8(line)) {
    reader.features_.valid = false;
    return reader.features_;
  }
  const auto codes = to_code_points(line);
  for (const char32_t code : codes) reader.take(code);
  reader.features_.words = number_of_words(codes);
  reader.features_.text = sentence_key(line);
  return reader.features_;
}

Script main_script(const std::array<int64_t, kNumScripts>& letters_of) {
  const auto* most = std::max_element(letters_of.begin(), letters_of.end());
  return static_cast<Script>(most - letters_of.begin());
}

}  // namespace nmt
