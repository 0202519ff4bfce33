#pragma once

#include <vector>

namespace nmt {

/// What a hypothesis loses for source tokens that it hardly looked at: Σ_i log min(a_i, 1), a_i
/// being all attention that source token i got (Wu et al. 2016, equation 14, without its β). At
/// most 0. A token without any counts as one with 10^-6.
double coverage_penalty(const std::vector<double>& attention_sums);

}  // namespace nmt
