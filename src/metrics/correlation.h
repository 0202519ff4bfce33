#pragma once

#include <string>
#include <vector>

namespace nmt {

/// Pearson's correlation of two lists of one length; NaN where one of them does not vary.
double pearson_correlation(const std::vector<double>& a, const std::vector<double>& b);

/// With three digits; "not defined" for NaN.
std::string correlation_text(double correlation);

}  // namespace nmt
