#pragma once

#include <string>

namespace nmt {

/// Writes the language `target` into the root element's xml:lang, and lang of HTML, where it is
/// `source`. Codes; nothing where either is "". `beginning`: of a document, up to its first text.
void set_root_language(std::string& beginning, const std::string& source,
                       const std::string& target);

}  // namespace nmt
