#pragma once

#include <string_view>

#include "markup/segment_builder.h"

namespace nmt {

/// Adds subtitles in SubRip format (.srt) to the builder. Numbers and times stay; the lines of a
/// cue are one text unless a dash begins another speaker's, and a sentence may continue in the next
/// cues. Throws MarkupError if a text has no times.
void parse_subtitles(std::string_view srt, SegmentBuilder& builder);

}  // namespace nmt
