#include "markup/model_splitter.h"
#include "office/office_file.h"

namespace nmt {

std::string translate_office_file(const Translator& translator, const std::string& bytes,
                                  const TranslationOptions& options) {
  OfficeFile file(bytes, make_splitter(translator, options));
  std::vector<std::vector<Translation>> translations;
  for (const auto& document : file.documents()) {
    translations.push_back(translations_of(translator, document, options));
  }
  return file.render(translations);
}

}  // namespace nmt
