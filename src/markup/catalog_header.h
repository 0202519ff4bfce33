#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "markup/plural_rule.h"

namespace nmt {

/// What the header of a message catalog says about its language.
struct CatalogHeader {
  std::string quoted;                // its translation, as written in the file
  size_t forms = 0;                  // plural forms of a message; 0: unknown
  const PluralRule* rule = nullptr;  // which numbers they are for; null: unlisted language
  std::string conflict;  // what is wrong if the catalog has translations already; "": nothing
};

/// Fills in a header for translations into `language` (a code, "" if unknown): Language and
/// Plural-Forms unless they are those of that language, and the charset, which becomes UTF-8.
CatalogHeader complete_header(std::string_view quoted, const std::string& language);

}  // namespace nmt
