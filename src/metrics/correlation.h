#pragma once

#include <optional>
#include <vector>

namespace nmt {

/// Pearson's correlation of two lists of one length; 0 where one of them does not vary.
double pearson_correlation(const std::vector<double>& a, const std::vector<double>& b);

/// Kendall's rank correlation τ_b of two lists of one length, which allows for ties (Kendall 1945:
/// The treatment of ties in ranking problems); none where one of them does not vary.
std::optional<double> kendall_correlation(const std::vector<double>& a,
                                          const std::vector<double>& b);

}  // namespace nmt
