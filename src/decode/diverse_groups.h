#pragma once

#include <cstdint>
#include <vector>

#include "decode/hypothesis.h"
#include "decode/sentence_beam.h"

namespace nmt {

/// Diverse beam search (Vijayakumar et al. 2016) with Hamming diversity: the groups choose one
/// after another, and each earlier group's choice of a token in this step lowers its
/// score by `diversity_strength`. This affects the choice only; log-probabilities stay the model's.
///
/// Orders each group's candidates accordingly, group after group, and truncates them to twice the
/// group's size.
void order_in_groups(const std::vector<OpenHypothesis>& open, const SearchOptions& options,
                     std::vector<Candidate>& candidates);

}  // namespace nmt
