#include "markup/model_splitter.h"

#include "text/sentence_splitter.h"

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

}  // namespace nmt
