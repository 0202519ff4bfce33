#pragma once

#include <vector>

namespace nmt {

/// Pearson's correlation of two lists of one length; 0 where one of them does not vary.
double pearson_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace nmt
