#include "metrics/correlation.h"

#include <cmath>

#include "support/catch.h"

namespace nmt {

TEST_CASE("A correlation is within -1 and 1, and not defined where a list does not vary",
          "[evaluate]") {
  CHECK(pearson_correlation({1, 2, 3}, {2, 1, 3}) == Approx(0.5));
  CHECK(pearson_correlation({0.3, 0.7}, {0.9, 0.1}) >= -1.0);
  CHECK(pearson_correlation({0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}) <= 1.0);
  for (const std::vector<double>& same : {std::vector<double>{}, {5}, {0.1, 0.1, 0.1}}) {
    std::vector<double> others(same.size());
    for (size_t i = 0; i < others.size(); ++i) others[i] = static_cast<double>(i);
    CHECK(std::isnan(pearson_correlation(same, others)));
    CHECK(std::isnan(pearson_correlation(others, same)));
  }
  CHECK(correlation_text(std::nan("")) == "not defined");
  CHECK(correlation_text(0.34222) == "0.342");
}

}  // namespace nmt
