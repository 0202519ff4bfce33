#pragma once

#include <string>
#include <string_view>

#include "markup/aligned_words.h"
#include "markup/segment.h"

namespace nmt {

/// Whether a line is likely to go on with the sentence of the one before.
bool continues_sentence(std::string_view before, std::string_view line);

/// Whether a segment has line ends or times that its translation is divided at.
bool has_breaks(const Segment& segment);

/// Puts the breaks of a segment between the words of its translation or, in Chinese and Japanese,
/// its characters: each after the same share of its sentence, in columns. Returns those that must
/// stand after a translation with too few words.
std::string place_breaks(const Segment& segment, AlignedWords& words);

}  // namespace nmt
