#pragma once

#include <vector>

#include "explain/explanation.h"
#include "explain/segmentation.h"

namespace nmt {

/// How each word becomes pieces: merge by merge, or the best ways through the lattice.
Explanation explain_segmentations(const std::vector<SegmentedWord>& words, bool is_bpe);

}  // namespace nmt
