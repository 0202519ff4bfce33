#pragma once

#include <string_view>

#include "markup/segment_builder.h"

namespace nmt {

/// Adds an XML document in UTF-8 to the builder. An element next to text, and what it contains, is
/// inline; other elements end a sentence. Entities are not expanded. Throws Error with line and
/// column if the document is not well-formed, and for unsupported_xml().
void parse_xml(std::string_view xml, SegmentBuilder& builder);

/// Adds a CDATA section by its content, which is a separate document: HTML, as in a feed, or text.
void add_cdata(std::string_view content, SegmentBuilder& builder);

/// Reads a part of an OpenDocument text (OASIS OpenDocument 1.3, part 3: content.xml and
/// styles.xml), where everything within a paragraph or heading is inline. The paragraphs of notes
/// and text boxes within one become ParsedDocument::contents; the rest of notes and frames stays
/// unchanged.
ParsedDocument parse_open_document(std::string_view xml);

}  // namespace nmt
