#pragma once

#include <string>
#include <vector>

#include "explain/explanation.h"
#include "explain/segmentation.h"

namespace nmt {

/// How each word becomes pieces: merge by merge, or the best ways through the lattice.
Explanation explain_segmentations(const std::vector<SegmentedWord>& words, bool is_bpe);

/// An array of objects on one line (docs/explain.md).
std::string segmentations_json(const std::vector<SegmentedWord>& words);

}  // namespace nmt
