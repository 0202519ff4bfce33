#pragma once

#include <string_view>

#include "markup/segment_builder.h"

namespace nmt {

/// Adds plain text whose paragraphs are wrapped into lines, as in e-mails and old e-books. The
/// lines of a paragraph are one text; its translation is wrapped into as many. Lines that end
/// early, list items, quoted lines of another depth and lines that are indented otherwise stay
/// apart.
void parse_wrapped_text(std::string_view text, SegmentBuilder& builder);

}  // namespace nmt
