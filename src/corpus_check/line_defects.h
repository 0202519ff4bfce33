#pragma once

#include <string_view>

namespace nmt {

// Defects of a line by itself, in well-formed UTF-8.

/// Text that was decoded with the wrong encoding, such as "fÃ¼r" for "für", or holds U+FFFD.
bool has_wrong_encoding(std::string_view line);

/// HTML or XML: a tag with a usual name, a closing tag, a tag with attributes, or an entity.
bool has_markup(std::string_view line);

/// Nothing but addresses of the web or of mail.
bool is_only_addresses(std::string_view line);

/// Several texts with tabs between them.
bool is_joined(std::string_view line);

}  // namespace nmt
