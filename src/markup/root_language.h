#pragma once

#include <string>
#include <vector>

namespace nmt {

/// Writes the language code `target`, unless it is "", into the root element's xml:lang and into
/// lang of <html> and its <body>, if these name one of the codes `sources`. `between`: what
/// precedes each text of a document.
void set_root_language(std::vector<std::string>& between, const std::vector<std::string>& sources,
                       const std::string& target);

}  // namespace nmt
