#pragma once

#include <string>
#include <string_view>

#include "markup/segment.h"

namespace nmt {

/// Text so that a reader of that syntax sees it as text. `begins_line`: it is the first of a line,
/// where Markdown has more markup.
std::string escape_text(std::string_view text, MarkupSyntax syntax, bool begins_line);

}  // namespace nmt
