#pragma once

#include <string_view>

#include "markup/segment_builder.h"

namespace nmt {

/// Adds an XML document in UTF-8. An element beside text, and what is in it, is inline; other
/// elements end a sentence. Entities are not expanded. Throws Error with line and column when it is
/// not well-formed.
void parse_xml(std::string_view xml, SegmentBuilder& builder);

/// The same of a part of an OpenDocument text (OASIS OpenDocument 1.3, part 3: content.xml and
/// styles.xml), where what is in a paragraph or heading is inline. Notes and frames within one stay
/// as they are.
ParsedDocument parse_open_document(std::string_view xml);

}  // namespace nmt
