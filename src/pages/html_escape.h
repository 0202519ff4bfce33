#pragma once

#include <string>
#include <string_view>

namespace nmt {

/// Escapes text for an element or a double-quoted attribute of HTML or SVG. Invalid UTF-8 and
/// characters that XML forbids become U+FFFD.
std::string escape_html(std::string_view text);

}  // namespace nmt
