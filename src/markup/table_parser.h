#pragma once

#include <string_view>

#include "markup/segment_builder.h"

namespace nmt {

/// Adds a table of cells between tabs. A cell that a spreadsheet put into quotes keeps these, and
/// may have line ends and, doubled, quotes (RFC 4180, with tabs for commas).
void parse_table(std::string_view text, SegmentBuilder& builder);

}  // namespace nmt
