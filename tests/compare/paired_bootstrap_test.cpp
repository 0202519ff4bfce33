#include "compare/paired_bootstrap.h"

#include "support/catch.h"

namespace nmt {
namespace {

double first_sum(const SentenceCounts& sums) { return static_cast<double>(sums[0]); }

}  // namespace

TEST_CASE("A bootstrap finds the distribution of the differences", "[evaluate][bootstrap]") {
  // b gains 3 on the first sentence and loses 1 on the second. Two draws of two: +6 in 1/4 of the
  // corpora, +2 in 1/2, −2 in 1/4. The mean of |difference| is 3, so |difference| − 3 exceeds the
  // true 2 for +6 alone: p is 1/4.
  const auto result = paired_bootstrap({{5}, {5}}, {{8}, {4}}, first_sum, 20000, 1);
  CHECK(result.a == 10);
  CHECK(result.b == 12);
  CHECK(result.p == Approx(0.25).margin(0.01));
  CHECK(static_cast<double>(result.a_above) / 20000 == Approx(0.25).margin(0.01));
  CHECK(static_cast<double>(result.b_above) / 20000 == Approx(0.75).margin(0.01));
  CHECK(result.low == -2);
  CHECK(result.high == 6);
}

TEST_CASE("The same seed draws the same corpora, another one others", "[evaluate][bootstrap]") {
  std::vector<SentenceCounts> a;
  std::vector<SentenceCounts> b;
  for (int64_t i = 0; i < 50; ++i) {
    a.push_back({i * i % 17});
    b.push_back({i * 7 % 19});
  }
  const auto once = paired_bootstrap(a, b, first_sum, 101, 1);
  const auto again = paired_bootstrap(a, b, first_sum, 101, 1);
  const auto other = paired_bootstrap(a, b, first_sum, 101, 2);
  CHECK(once.low == again.low);
  CHECK(once.high == again.high);
  CHECK(once.p == again.p);
  CHECK((once.low != other.low || once.high != other.high || once.p != other.p));
}

TEST_CASE("A system does not differ from itself; a sure difference has the least p",
          "[evaluate][bootstrap]") {
  const std::vector<SentenceCounts> counts = {{3}, {1}, {4}, {1}, {5}};
  const auto same = paired_bootstrap(counts, counts, first_sum, 99, 1);
  CHECK(same.a_above == 0);
  CHECK(same.b_above == 0);
  CHECK(same.p == 1);
  const auto sure = paired_bootstrap({{1}}, {{9}}, first_sum, 99, 1);
  CHECK(sure.low == 8);
  CHECK(sure.high == 8);
  CHECK(sure.p == Approx(0.01));
}

}  // namespace nmt
