#include "office/office_file.h"

namespace nmt {

std::string translate_office_file(const Translator& translator, OfficeFile& file,
                                  const TranslationOptions& options) {
  std::vector<std::vector<Translation>> translations;
  for (const auto& document : file.documents()) {
    translations.push_back(translations_of(translator, document, options));
  }
  return file.render(translations);
}

}  // namespace nmt
