#pragma once

#include <string_view>

namespace nmt {

// Defects of a single line of well-formed UTF-8.

/// Whether the line was decoded with the wrong encoding, as "fÃ¼r" for "für", or contains U+FFFD.
bool has_wrong_encoding(std::string_view line);

/// Whether the line has HTML or XML: a tag with a common name, a closing tag, a tag with
/// attributes, or an entity.
bool has_markup(std::string_view line);

/// Whether the line consists only of URLs and e-mail addresses.
bool is_only_addresses(std::string_view line);

/// Whether the line consists of several texts separated by tabs.
bool is_joined(std::string_view line);

}  // namespace nmt
