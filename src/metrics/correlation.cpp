#include "metrics/correlation.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>

namespace nmt {
namespace {

bool varies(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
}

}  // namespace

double pearson_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  if (!varies(a) || !varies(b)) return std::nan("");
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
  return std::clamp(products / std::sqrt(squares_a * squares_b), -1.0, 1.0);
}

std::string correlation_text(double correlation) {
  return std::isnan(correlation) ? "not defined" : fmt::format("{:.3f}", correlation);
}

}  // namespace nmt
