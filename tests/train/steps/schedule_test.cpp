#include "train/steps/schedule.h"

#include <algorithm>
#include <cmath>

#include "support/catch.h"

namespace nmt {
namespace {

constexpr int64_t kHiddenSize = 256;
constexpr int64_t kUpdatesPerEpoch = 100;

TrainConfig with_schedule(const std::string& schedule) {
  TrainConfig config;
  config.learning_rate = 0.8;
  config.schedule = parse_choice<ScheduleKind>(schedule).value();
  return config;
}

}  // namespace

TEST_CASE("Warm-up rises linearly and the inverse square root meets it", "[train]") {
  auto config = with_schedule("inverse_sqrt");
  config.warmup_updates = 100;
  const LearningRateSchedule schedule(config, kHiddenSize);
  REQUIRE(schedule.rate(25, 1, kUpdatesPerEpoch) == Approx(0.2));
  REQUIRE(schedule.rate(100, 1, kUpdatesPerEpoch) == Approx(0.8));
  REQUIRE(schedule.rate(400, 1, kUpdatesPerEpoch) == Approx(0.4));
}

TEST_CASE("A constant rate is constant", "[train]") {
  const LearningRateSchedule schedule(with_schedule("constant"), kHiddenSize);
  REQUIRE(schedule.rate(1, 1, kUpdatesPerEpoch) == 0.8);
  REQUIRE(schedule.rate(100000, 99, kUpdatesPerEpoch) == 0.8);
}

TEST_CASE("Step decay halves from the epoch after its start", "[train]") {
  auto config = with_schedule("step");
  config.decay_start_epoch = 10;
  config.decay_epochs = 2;
  const LearningRateSchedule schedule(config, kHiddenSize);
  REQUIRE(schedule.rate(5, 10, kUpdatesPerEpoch) == Approx(0.8));
  REQUIRE(schedule.rate(5, 11, kUpdatesPerEpoch) == Approx(0.4));
  REQUIRE(schedule.rate(5, 12, kUpdatesPerEpoch) == Approx(0.4));
  REQUIRE(schedule.rate(5, 13, kUpdatesPerEpoch) == Approx(0.2));
}

TEST_CASE("Plateau decays after validations without improvement, down to its floor", "[train]") {
  auto config = with_schedule("plateau");
  config.plateau_patience = 2;
  config.min_learning_rate = 0.3;
  LearningRateSchedule schedule(config, kHiddenSize);
  schedule.observe_validation(false);
  schedule.observe_validation(true);
  schedule.observe_validation(false);
  REQUIRE(schedule.rate(5, 1, kUpdatesPerEpoch) == Approx(0.8));
  schedule.observe_validation(false);
  REQUIRE(schedule.rate(5, 1, kUpdatesPerEpoch) == Approx(0.4));
  schedule.observe_validation(false);
  schedule.observe_validation(false);
  REQUIRE(schedule.rate(5, 1, kUpdatesPerEpoch) == Approx(0.3));
}

TEST_CASE("The linear schedule falls from its peak to the last update", "[train]") {
  auto config = with_schedule("linear");
  config.warmup_updates = 100;
  config.max_epochs = 6;  // of 100 updates each
  const LearningRateSchedule schedule(config, kHiddenSize);
  REQUIRE(schedule.rate(50, 1, kUpdatesPerEpoch) == Approx(0.4));
  REQUIRE(schedule.rate(101, 2, kUpdatesPerEpoch) == Approx(0.8));
  REQUIRE(schedule.rate(351, 4, kUpdatesPerEpoch) == Approx(0.4));
  REQUIRE(schedule.rate(600, 6, kUpdatesPerEpoch) == Approx(0.8 / 500));
  config.max_updates = 300;  // ends before the sixth epoch
  const LearningRateSchedule shorter(config, kHiddenSize);
  REQUIRE(shorter.rate(201, 3, kUpdatesPerEpoch) == Approx(0.4));
  REQUIRE(shorter.rate(400, 4, kUpdatesPerEpoch) == 0.0);
}

TEST_CASE("The Noam schedule is that of the Transformer's paper", "[train]") {
  auto config = with_schedule("noam");
  config.learning_rate = 2.0;
  config.warmup_updates = 400;
  const LearningRateSchedule schedule(config, kHiddenSize);
  for (const int64_t update : {1, 100, 400, 401, 5000}) {
    const auto u = static_cast<double>(update);
    const double expected =
        2.0 / std::sqrt(256.0) * std::min(1.0 / std::sqrt(u), u * std::pow(400.0, -1.5));
    REQUIRE(schedule.rate(update, 1, kUpdatesPerEpoch) == Approx(expected));
  }
}

}  // namespace nmt
