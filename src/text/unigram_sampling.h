#pragma once

#include <string_view>
#include <vector>

#include "numbers/random.h"
#include "text/piece_table.h"

namespace nmt {

/// Subword regularization (Kudo 2018, section 3.2): samples a segmentation x with probability
/// P(x)^power / Σ_x' P(x')^power over all segmentations, where P(x) is the product of its pieces'
/// probabilities, by forward filtering and backward sampling. The pieces are views of the atoms'
/// text.
std::vector<std::string_view> sample_unigram(const Atoms& atoms, const PieceTable& pieces,
                                             double power, Random& random);

}  // namespace nmt
