#include "corpus_check/known_language.h"

#include <cld2/public/compact_lang_det.h>

namespace nmt {

std::string known_language(const std::string& text) {
  constexpr bool kPlainText = true;
  bool reliable = false;
  const auto language =
      CLD2::DetectLanguage(text.data(), static_cast<int>(text.size()), kPlainText, &reliable);
  return reliable && language != CLD2::UNKNOWN_LANGUAGE ? CLD2::LanguageCode(language) : "";
}

}  // namespace nmt
