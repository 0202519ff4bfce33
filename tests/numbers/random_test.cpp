#include "numbers/random.h"

#include <algorithm>
#include <numeric>

#include "support/catch.h"

namespace nmt {

TEST_CASE("A stream is a function of seed and stream", "[support]") {
  REQUIRE(Random(3, 4).next() == Random(3, 4).next());
  REQUIRE(Random(3, 4).next() != Random(3, 5).next());
  REQUIRE(Random(3, 4).next() != Random(4, 4).next());
}

TEST_CASE("A shuffle is a permutation and every place is as likely", "[support]") {
  std::vector<int> counts(5, 0);
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    std::vector<int> values(5);
    std::iota(values.begin(), values.end(), 0);
    Random random(seed, 1);
    shuffle(values, random);
    ++counts[static_cast<size_t>(std::find(values.begin(), values.end(), 0) - values.begin())];
    std::sort(values.begin(), values.end());
    REQUIRE(values == std::vector<int>{0, 1, 2, 3, 4});
  }
  for (const int count : counts) REQUIRE(count == Approx(1000).margin(120));
}

}  // namespace nmt
