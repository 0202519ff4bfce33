#pragma once

#include <string>
#include <vector>

namespace nmt {

/// chrF2 (chrf.h) of every text against every text: [hypothesis][reference], from 0 to 100. Much
/// faster than separate calls.
std::vector<std::vector<double>> pairwise_chrf(const std::vector<std::string>& texts);

}  // namespace nmt
