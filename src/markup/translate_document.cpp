#include "markup/translate_document.h"

#include <cstdint>

#include "errors/counted.h"
#include "errors/log.h"
#include "markup/document.h"
#include "markup/model_splitter.h"
#include "translate/translator.h"
#include "unicode/characters.h"

namespace nmt {

std::vector<Translation> translations_of(const Translator& translator, const Document& document,
                                         const TranslationOptions& options) {
  auto with_words = options;
  with_words.words = options.words || document.needs_words();
  auto translations = translator.translate(document.sentences(), with_words);
  std::vector<std::string> empty;
  for (size_t i = 0; i < translations.size(); ++i) {
    const auto& sentence = document.sentences()[i];
    if (has_no_text(sentence, translations[i])) empty.push_back(sentence);
  }
  const bool keeps_them = document.between().empty();
  if (!empty.empty() && keeps_them) {
    constexpr size_t kColumns = 60;
    log_warning("{} without a translation: left untranslated, {}{}",
                counted(static_cast<int64_t>(empty.size()), "sentence"),
                empty.size() > 1 ? "the first: " : "",
                shortened(printable(empty.front()), kColumns));
  }
  return translations;
}

std::string translate(const Translator& translator, const Document& document,
                      const TranslationOptions& options) {
  return document.render(translations_of(translator, document, options));
}

std::string translate_document(const Translator& translator, const std::string& document,
                               DocumentFormat format, const TranslationOptions& options) {
  return translate(translator, {document, format, make_splitter(translator, options)}, options);
}

}  // namespace nmt
