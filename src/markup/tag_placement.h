#pragma once

#include <cstddef>
#include <vector>

#include "markup/aligned_words.h"
#include "markup/segment.h"

namespace nmt {

/// Where a part of an element goes: around the target words from `begin` to before `end`, except
/// bytes at both ends that stay outside, such as a full stop. For a point: before word `begin`.
struct TagRun {
  size_t element = kNoElement;
  size_t begin = 0;
  size_t end = 0;
  size_t lead = 0;         // bytes of the first word before the tag
  size_t trail = 0;        // bytes of the last word after it
  bool after_gap = false;  // of a point: the space before the word comes first
};

/// The runs within each element and, as the last list, those in no element, in the order of the
/// translation. Runs of one list do not overlap and lie within one run of their element: nested
/// tags are well-formed.
///
/// A target word belongs to the elements that its aligned source word is in; a source word divided
/// between two belongs to the one with more of it. An element in one run (Placement::kOnce) takes
/// the run with the most of its words minus other words. An element without any aligned word takes
/// the word with most attention to it or, if it is kVerbatim, an equal word. No link goes into
/// another.
std::vector<std::vector<TagRun>> place_tags(const Segment& segment, const AlignedWords& words);

}  // namespace nmt
