#pragma once

#include <string>
#include <vector>

namespace nmt {

/// Writes the language `target`, unless it is "", into the root element's xml:lang, and lang of
/// HTML, where it is one of `sources`. Codes. `beginning`: of a document, up to its first text.
void set_root_language(std::string& beginning, const std::vector<std::string>& sources,
                       const std::string& target);

}  // namespace nmt
