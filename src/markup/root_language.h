#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/written_words.h"

namespace nmt {

/// The position of the first start tag from `at` that begins with `tag` ("": any; in lower case),
/// after comments and declarations and outside scripts; npos if there is none.
size_t find_start_tag(std::string_view markup, std::string_view tag, size_t at = 0);

/// The bytes of an attribute's value in a start tag, by its name in any case.
std::optional<Extent> find_attribute(std::string_view tag, std::string_view name);

/// Writes the language code `target`, unless it is "", into the root element's xml:lang and into
/// lang of <html> and its <body>, if these name one of the codes `sources`. `between`: what
/// precedes each text of a document.
void set_root_language(std::vector<std::string>& between, const std::vector<std::string>& sources,
                       const std::string& target);

}  // namespace nmt
