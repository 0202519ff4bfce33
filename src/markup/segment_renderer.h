#pragma once

#include <string>
#include <string_view>

#include "markup/aligned_words.h"
#include "markup/segment.h"

namespace nmt {

/// Escapes "&", "<" and ">" for HTML or XML.
std::string escape_angles(std::string_view text);

/// The translation of a segment with its tags, in the syntax of the document.
std::string render_segment(const Segment& segment, const AlignedWords& words);

}  // namespace nmt
