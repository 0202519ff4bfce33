#include "data/permutation.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "support/torch_catch.h"

namespace nmt {
namespace {

std::vector<uint64_t> all_of(const Permutation& permutation, uint64_t n) {
  std::vector<uint64_t> values;
  for (uint64_t i = 0; i < n; ++i) values.push_back(permutation(i));
  return values;
}

bool is_permutation_of_all(const std::vector<uint64_t>& values) {
  std::vector<bool> seen(values.size(), false);
  for (const uint64_t value : values) {
    if (value >= values.size() || seen[value]) return false;
    seen[value] = true;
  }
  return true;
}

}  // namespace

TEST_CASE("Each number below n has one place", "[data]") {
  for (uint64_t n = 1; n <= 3000; ++n) {
    INFO(n);
    if (!is_permutation_of_all(all_of(Permutation(n, 7 * n), n))) FAIL(n);
  }
  for (const uint64_t n : {65536U, 65537U, 100003U}) {
    REQUIRE(is_permutation_of_all(all_of(Permutation(n, 3), n)));
  }
}

TEST_CASE("Numbers of more than 32 bits are permuted too", "[data]") {
  const uint64_t n = 3000000000000;
  const Permutation permutation(n, 1);
  std::map<uint64_t, int> seen;
  for (uint64_t i = 0; i < 10000; ++i) ++seen[permutation(i * 299999999)];
  REQUIRE(seen.size() == 10000);
  REQUIRE(seen.rbegin()->first < n);
  REQUIRE(seen.rbegin()->first > n / 100 * 99);
}

TEST_CASE("The order is the seed's, on every machine", "[data]") {
  REQUIRE(all_of(Permutation(500, 1), 500) == all_of(Permutation(500, 1), 500));
  REQUIRE(all_of(Permutation(500, 1), 500) != all_of(Permutation(500, 2), 500));
  REQUIRE(all_of(Permutation(7, 11), 7) == std::vector<uint64_t>{2, 6, 1, 3, 0, 5, 4});
}

TEST_CASE("All orders of a few numbers come about equally often", "[data]") {
  for (const uint64_t n : {2U, 3U, 4U, 5U}) {
    uint64_t orders = 1;
    for (uint64_t i = 2; i <= n; ++i) orders *= i;
    std::map<std::vector<uint64_t>, double> counts;
    const double seeds = 300.0 * static_cast<double>(orders);
    for (uint64_t seed = 0; seed < static_cast<uint64_t>(seeds); ++seed) {
      ++counts[all_of(Permutation(n, seed), n)];
    }
    REQUIRE(counts.size() == orders);
    double chi_square = 0;
    for (const auto& [order, count] : counts) {
      chi_square += (count - 300.0) * (count - 300.0) / 300.0;
    }
    INFO(n << " numbers");
    CHECK(chi_square <
          static_cast<double>(orders) + 6 * std::sqrt(2.0 * static_cast<double>(orders)));
  }
}

TEST_CASE("Nothing of the old order is left", "[data]") {
  const uint64_t n = 20000;
  const auto values = all_of(Permutation(n, 5), n);
  int64_t rises = 0;
  int64_t neighbors = 0;
  double distance = 0;
  for (uint64_t i = 1; i < n; ++i) {
    rises += values[i] > values[i - 1] ? 1 : 0;
    neighbors += values[i] == values[i - 1] + 1 ? 1 : 0;
    distance += std::abs(static_cast<double>(values[i]) - static_cast<double>(i));
  }
  CHECK(std::abs(static_cast<double>(rises) - 10000) < 250);  // 6 deviations
  CHECK(neighbors < 10);                                      // 1 is to be expected
  CHECK(distance / n == Approx(n / 3.0).epsilon(0.02));
}

}  // namespace nmt
