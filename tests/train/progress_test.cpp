#include "train/progress.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("Progress is that towards the nearest limit", "[train]") {
  TrainConfig config;
  config.max_epochs = 10;
  REQUIRE(fraction_done(config, 100, 250, 60) == Approx(0.25));
  config.max_updates = 500;
  REQUIRE(fraction_done(config, 100, 250, 60) == Approx(0.5));
  config.max_minutes = 1.25;
  REQUIRE(fraction_done(config, 100, 250, 60) == Approx(0.8));
  REQUIRE(fraction_done(config, 100, 900, 60) == 1.0);
}

TEST_CASE("Times read as clocks", "[train]") {
  REQUIRE(clock_text(5) == "0:05");
  REQUIRE(clock_text(725) == "12:05");
  REQUIRE(clock_text(3723) == "1:02:03");
}

}  // namespace nmt
