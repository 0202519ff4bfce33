#pragma once

#include <vector>

namespace nmt {

/// Penalty for source tokens with little attention: Σ_i log min(a_i, 1), a_i being the total
/// attention on source token i (Wu et al. 2016, equation 14, without its β). At most 0; a_i is at
/// least 10^-6.
double coverage_penalty(const std::vector<double>& attention_sums);

}  // namespace nmt
