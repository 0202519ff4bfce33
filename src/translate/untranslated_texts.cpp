#include "translate/untranslated_texts.h"

#include "errors/counted.h"
#include "errors/log.h"
#include "unicode/characters.h"

namespace nmt {

void UntranslatedTexts::warn(const char* what, const std::string& prefix) const {
  constexpr size_t kColumns = 60;
  if (count_ == 0) return;
  log_warning("{}{} without a translation: left untranslated, {}{}", prefix, counted(count_, what),
              count_ > 1 ? "the first: " : "", shortened(printable(first_), kColumns));
}

}  // namespace nmt
