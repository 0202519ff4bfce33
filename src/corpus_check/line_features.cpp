#include "corpus_check/line_features.h"

#include <utf8proc.h>

#include <algorithm>

#include "numbers/mix_bits.h"
#include "text/protected_spans.h"
#include "text/sentence_key.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {

LineFeatures features_of(std::string_view line) {
  LineFeatures features;
  features.valid = !find_invalid_utf8(line);
  if (!features.valid) return features;
  const auto codes = to_code_points(line);
  for (const char32_t code : codes) {
    const auto category = utf8proc_category(static_cast<int32_t>(code));
    ++features.characters;
    if (category == UTF8PROC_CATEGORY_CC && code != U'\t') features.control = true;
    if (is_letter(code)) {
      ++features.letters;
      ++features.letters_of[static_cast<size_t>(counted_script(code))];
    }
    if (const int digit = digit_value(code); digit >= 0) {
      features.numbers += mix_bits(static_cast<uint64_t>(digit) + 1);
    }
  }
  const bool is_seen = std::any_of(codes.begin(), codes.end(), [](char32_t code) {
    return !is_whitespace(code) && !is_invisible(code);
  });
  features.words = is_seen ? number_of_words(codes) : 0;
  features.text = sentence_key(line);
  return features;
}

}  // namespace nmt
