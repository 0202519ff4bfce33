#pragma once

#include <string>
#include <vector>

namespace nmt {

/// Writes the language `target`, unless it is "", into the root element's xml:lang, and into lang
/// of <html> and its <body>, where it is one of `sources`. Codes. `between`: what precedes each
/// text of a document.
void set_root_language(std::vector<std::string>& between, const std::vector<std::string>& sources,
                       const std::string& target);

}  // namespace nmt
