#pragma once

#include <string>
#include <vector>

namespace nmt {

/// chrF2 (chrf.h) of every text with every other as its reference: [hypothesis][reference], from 0
/// to 100. Much faster than to compute each by itself.
std::vector<std::vector<double>> pairwise_chrf(const std::vector<std::string>& texts);

}  // namespace nmt
