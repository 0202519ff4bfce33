#pragma once

#include <string>
#include <string_view>

namespace nmt {

/// Text for an element or an attribute in double quotes of HTML or SVG: what has a meaning there is
/// escaped; bytes that are no UTF-8, and characters that XML forbids, become U+FFFD.
std::string escape_html(std::string_view text);

}  // namespace nmt
