#include "decode/search_options.h"

#include <cmath>

#include "support/catch.h"

namespace nmt {

TEST_CASE("Length divisors are those of the papers", "[decode]") {
  SearchOptions options;
  options.length_penalty = 0.6;
  REQUIRE(length_divisor(options, 7) == Approx(std::pow(12.0 / 6.0, 0.6)));
  options.mean_normalization = true;
  options.length_penalty = 1.0;
  REQUIRE(length_divisor(options, 7) == Approx(7.0));
  for (const bool mean : {false, true}) {
    options.mean_normalization = mean;
    options.length_penalty = 0.0;
    REQUIRE(length_divisor(options, 7) == 1.0);
  }
}

TEST_CASE("The output limit is the smaller of the absolute and the relative one", "[decode]") {
  SearchOptions options;
  options.max_length = 50;
  options.max_length_ratio = 2.0;
  REQUIRE(output_limit(options, 4) == 18);
  REQUIRE(output_limit(options, 40) == 50);
}

}  // namespace nmt
