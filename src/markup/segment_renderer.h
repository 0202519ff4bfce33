#pragma once

#include <string>

#include "markup/aligned_words.h"
#include "markup/segment.h"

namespace nmt {

/// The translation of a segment with its tags, in the syntax of the document.
std::string render_segment(const Segment& segment, const AlignedWords& words);

}  // namespace nmt
