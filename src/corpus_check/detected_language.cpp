#include "corpus_check/detected_language.h"

#include <cld2/public/compact_lang_det.h>

namespace nmt {

std::string detected_language(const std::string& text) {
  constexpr int kResults = 3;
  constexpr bool kPlainText = true;
  constexpr int kFlags = 0;
  CLD2::Language languages[kResults];
  int percents[kResults];
  double scores[kResults];
  int text_bytes = 0;
  int valid_bytes = 0;
  bool reliable = false;
  CLD2::ExtDetectLanguageSummaryCheckUTF8(text.data(), static_cast<int>(text.size()), kPlainText,
                                          nullptr, kFlags, languages, percents, scores, nullptr,
                                          &text_bytes, &reliable, &valid_bytes);
  if (!reliable || languages[0] == CLD2::UNKNOWN_LANGUAGE) return "";
  const std::string code = CLD2::LanguageCode(languages[0]);
  return code.substr(0, code.find('-'));  // zh and zh-Hant are one
}

}  // namespace nmt
