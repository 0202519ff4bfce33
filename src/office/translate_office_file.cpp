#include "markup/model_splitter.h"
#include "office/office_file.h"

namespace nmt {

std::string translate_office_file(const Translator& translator, const std::string& bytes,
                                  const TranslationOptions& options) {
  OfficeFile file(bytes, make_splitter(translator, options));
  std::vector<std::vector<Translation>> translations;
  for (const auto& document : file.documents()) {
    auto with_words = options;
    with_words.words = options.words || document.needs_words();
    translations.push_back(translator.translate(document.sentences(), with_words));
  }
  return file.render(translations);
}

}  // namespace nmt
