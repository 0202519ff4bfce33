#pragma once

#include <string>

#include "explain/beam.h"
#include "explain/explanation.h"

namespace nmt {

/// Each step of the search with its candidates, the tree and the ranking.
Explanation explain_beam_tree(const BeamTree& tree);

/// An object on one line (docs/explain.md).
std::string beam_tree_json(const BeamTree& tree);

}  // namespace nmt
