#pragma once

#include <string>
#include <string_view>

#include "markup/segment_builder.h"

namespace nmt {

/// Adds an HTML document or fragment to the builder. Throws MarkupError for what would take far too
/// much time or memory: elements nested too deeply, attributes and reopened elements without
/// number.
void parse_html(std::string_view html, SegmentBuilder& builder);

/// Adds lines of text with tags, each cell between tabs as a fragment by itself.
void parse_html_lines(std::string_view text, SegmentBuilder& builder);

/// Adds text with character references.
void add_html_text(std::string_view text, SegmentBuilder& builder);

/// The place of the first '<' that begins a tag, comment or declaration, rather than being text;
/// the text's size if there is none.
size_t find_tag(std::string_view html);

constexpr size_t kMaxTag = 1000;  // bytes

/// Length of the tag that begins the text, at most kMaxTag; 0 if there is none.
size_t tag_length(std::string_view text);

/// Whether the text is a tag of an element of HTML, of a numbered one or with an attribute: "<b>"
/// and "<1>", unlike "<name>".
bool is_familiar_tag(const std::string& text);

/// Adds a single tag, comment or declaration. `bytes`: how the document writes it.
void add_html_tag(std::string_view tag, std::string_view bytes, SegmentBuilder& builder);

/// The text that a character reference such as "&auml;" stands for; unknown ones stay.
std::string decode_reference(std::string_view reference);

}  // namespace nmt
