#pragma once

#include <cstdint>
#include <vector>

#include "decode/hypothesis.h"
#include "decode/sentence_beam.h"

namespace nmt {

/// Diverse beam search (Vijayakumar et al. 2016) with Hamming diversity: the groups choose one
/// after another, and for each choice of a token in this step by a group before, another finds it
/// `diversity_strength` less likely. That changes what is chosen; log-probabilities stay the
/// model's.
///
/// Orders each group's candidates so, the groups one behind the other, and cuts them down to twice
/// the group's size.
void order_in_groups(const std::vector<OpenHypothesis>& open, const SearchOptions& options,
                     std::vector<Candidate>& candidates);

}  // namespace nmt
