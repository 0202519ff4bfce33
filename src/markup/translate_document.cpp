#include "markup/translate_document.h"

#include "markup/document.h"
#include "markup/model_splitter.h"
#include "translate/translator.h"

namespace nmt {

std::string translate_document(const Translator& translator, const std::string& document,
                               DocumentFormat format, const TranslationOptions& options) {
  const Document parsed(document, format, make_splitter(translator, options));
  auto with_words = options;
  with_words.words = options.words || parsed.needs_words();
  return parsed.render(translator.translate(parsed.sentences(), with_words));
}

}  // namespace nmt
