#include "train/schedule.h"

#include <cmath>

#include "support/catch.h"

namespace nmt {
namespace {

TrainConfig with_schedule(const std::string& schedule) {
  TrainConfig config;
  config.learning_rate = 0.8;
  config.schedule = schedule;
  return config;
}

}  // namespace

TEST_CASE("Warm-up rises linearly and the inverse square root meets it", "[train]") {
  auto config = with_schedule("inverse_sqrt");
  config.warmup_updates = 100;
  const LearningRateSchedule schedule(config);
  REQUIRE(schedule.rate(25, 1) == Approx(0.2));
  REQUIRE(schedule.rate(100, 1) == Approx(0.8));
  REQUIRE(schedule.rate(400, 1) == Approx(0.4));
}

TEST_CASE("A constant rate is constant", "[train]") {
  const LearningRateSchedule schedule(with_schedule("constant"));
  REQUIRE(schedule.rate(1, 1) == 0.8);
  REQUIRE(schedule.rate(100000, 99) == 0.8);
}

TEST_CASE("Step decay halves from the epoch after its start", "[train]") {
  auto config = with_schedule("step");
  config.decay_start_epoch = 10;
  config.decay_epochs = 2;
  const LearningRateSchedule schedule(config);
  REQUIRE(schedule.rate(5, 10) == Approx(0.8));
  REQUIRE(schedule.rate(5, 11) == Approx(0.4));
  REQUIRE(schedule.rate(5, 12) == Approx(0.4));
  REQUIRE(schedule.rate(5, 13) == Approx(0.2));
}

TEST_CASE("Plateau decays after validations without improvement, down to its floor", "[train]") {
  auto config = with_schedule("plateau");
  config.plateau_patience = 2;
  config.min_learning_rate = 0.3;
  LearningRateSchedule schedule(config);
  schedule.observe_validation(false);
  schedule.observe_validation(true);
  schedule.observe_validation(false);
  REQUIRE(schedule.rate(5, 1) == Approx(0.8));
  schedule.observe_validation(false);
  REQUIRE(schedule.rate(5, 1) == Approx(0.4));
  schedule.observe_validation(false);
  schedule.observe_validation(false);
  REQUIRE(schedule.rate(5, 1) == Approx(0.3));
}

}  // namespace nmt
