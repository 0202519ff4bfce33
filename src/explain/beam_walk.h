#pragma once

#include "explain/beam.h"
#include "explain/explanation.h"

namespace nmt {

/// Each step of the search with its candidates, the tree and the ranking.
Explanation explain_beam_tree(const BeamTree& tree);

}  // namespace nmt
