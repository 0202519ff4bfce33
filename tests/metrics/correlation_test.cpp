#include "metrics/correlation.h"

#include <cmath>

#include "support/catch.h"

namespace nmt {

TEST_CASE("Kendall's correlation counts pairs in the same order", "[metrics]") {
  CHECK(kendall_correlation({1, 2, 3}, {10, 20, 30}) == 1.0);
  CHECK(kendall_correlation({1, 2, 3}, {0.3, 0.2, 0.1}) == -1.0);
  // Of six pairs, (2, 3) alone is discordant.
  CHECK(*kendall_correlation({1, 2, 3, 4}, {1, 3, 2, 4}) == Approx((5.0 - 1.0) / 6.0));
}

TEST_CASE("Kendall's correlation leaves ties out of either list", "[metrics]") {
  // Of six pairs: one tied in a, one other tied in b, the remaining four concordant.
  CHECK(*kendall_correlation({1, 1, 2, 3}, {1, 2, 3, 3}) == Approx(4.0 / std::sqrt(5.0 * 5.0)));
  // One tied in a alone, two concordant.
  CHECK(*kendall_correlation({1, 1, 2}, {1, 2, 3}) == Approx(2.0 / std::sqrt(2.0 * 3.0)));
  CHECK_FALSE(kendall_correlation({1, 1, 1}, {1, 2, 3}).has_value());
  CHECK_FALSE(kendall_correlation({1, 2}, {5, 5}).has_value());
  CHECK_FALSE(kendall_correlation({1}, {1}).has_value());
}

}  // namespace nmt
