#pragma once

#include <string>
#include <string_view>

#include "markup/aligned_words.h"
#include "markup/segment.h"

namespace nmt {

/// Whether it is a letter, punctuation or full-width form of Chinese or Japanese.
bool is_east_asian(char32_t code);

/// Whether `line` is likely to continue the sentence of the line `before`.
bool continues_sentence(std::string_view before, std::string_view line);

/// Whether a segment has line ends or cue times, at which its translation must be divided.
bool has_breaks(const Segment& segment);

/// Puts the breaks of a segment between the words of its translation or, in Chinese and Japanese,
/// its characters: each after the same share of its sentence, in columns. Returns the breaks to
/// append if the translation has too few words.
std::string place_breaks(const Segment& segment, AlignedWords& words);

}  // namespace nmt
