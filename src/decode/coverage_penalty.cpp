#include "decode/coverage_penalty.h"

#include <algorithm>
#include <cmath>

namespace nmt {

double coverage_penalty(const std::vector<double>& attention_sums) {
  constexpr double kLeast = 1e-6;  // keeps the logarithm finite
  double penalty = 0.0;
  for (const double sum : attention_sums) penalty += std::log(std::clamp(sum, kLeast, 1.0));
  return penalty;
}

}  // namespace nmt
