#include "metrics/correlation.h"

#include <cmath>
#include <cstddef>
#include <numeric>

namespace nmt {

double pearson_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty()) return 0.0;
  const auto mean_of = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double products = 0.0;
  double squares_a = 0.0;
  double squares_b = 0.0;
  for (size_t i = 0; i < a.size(); ++i) {
    products += (a[i] - mean_a) * (b[i] - mean_b);
    squares_a += (a[i] - mean_a) * (a[i] - mean_a);
    squares_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  const double scale = std::sqrt(squares_a * squares_b);
  return scale > 0 ? products / scale : 0.0;
}

}  // namespace nmt
