#include "markup/translate_document.h"

#include "errors/counted.h"
#include "errors/log.h"
#include "markup/document.h"
#include "text/sentence_splitter.h"
#include "translate/translator.h"
#include "translate/untranslated_texts.h"

namespace nmt {

Splitter make_splitter(const Translator& translator, const TranslationOptions& options) {
  const auto split =
      options.split == LineSplit::kModel ? translator.default_split() : options.split;
  const auto& target = translator.target_language();
  const auto& sources = translator.source_languages();
  if (split != LineSplit::kSentences) return {split_lines, target, sources};
  const auto split_sentences = [&hints = translator.sentence_hints()](std::string_view text) {
    return split_text(text, hints);
  };
  return {split_sentences, target, sources};
}

std::vector<Translation> translations_of(const Translator& translator, const Document& document,
                                         const TranslationOptions& options) {
  auto with_words = options;
  with_words.words = options.words || document.needs_words();
  auto translations =
      translator.translate(document.sentences(), with_words, document.constraints());
  UntranslatedTexts untranslated;
  for (size_t i = 0; i < translations.size(); ++i) {
    const auto& sentence = document.sentences()[i];
    if (has_no_text(sentence, translations[i])) untranslated.add(sentence);
  }
  const bool keeps_them = document.between().empty();
  if (keeps_them) untranslated.warn("sentence");
  if (const auto choices = document.num_choices(); choices > 0) {
    log_warning("{} left untranslated; translate the cases yourself",
                counted(choices, "ICU plural or selection"));
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
