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

std::optional<double> kendall_correlation(const std::vector<double>& a,
                                          const std::vector<double>& b) {
  const auto order = [](double first, double second) {
    return static_cast<double>(first > second) - static_cast<double>(first < second);
  };
  double agreement = 0.0;  // concordant less discordant pairs
  double pairs_a = 0.0;    // not tied in a
  double pairs_b = 0.0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = i + 1; j < a.size(); ++j) {
      const double order_a = order(a[i], a[j]);
      const double order_b = order(b[i], b[j]);
      agreement += order_a * order_b;
      pairs_a += std::abs(order_a);
      pairs_b += std::abs(order_b);
    }
  }
  if (pairs_a == 0.0 || pairs_b == 0.0) return std::nullopt;
  return agreement / std::sqrt(pairs_a * pairs_b);
}

}  // namespace nmt
