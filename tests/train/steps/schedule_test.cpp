#include "train/steps/schedule.h"

#include <algorithm>
#include <cmath>

#include "support/catch.h"

namespace nmt {
namespace {

constexpr int64_t kHiddenSize = 256;
constexpr int64_t kLastUpdate = 600;

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
  REQUIRE(schedule.rate(25, 1, kLastUpdate) == Approx(0.2));
  REQUIRE(schedule.rate(100, 1, kLastUpdate) == Approx(0.8));
  REQUIRE(schedule.rate(400, 1, kLastUpdate) == Approx(0.4));
}

TEST_CASE("A constant rate is constant", "[train]") {
  const LearningRateSchedule schedule(with_schedule("constant"), kHiddenSize);
  REQUIRE(schedule.rate(1, 1, kLastUpdate) == 0.8);
  REQUIRE(schedule.rate(100000, 99, kLastUpdate) == 0.8);
}

TEST_CASE("Step decay halves from the epoch after its start", "[train]") {
  auto config = with_schedule("step");
  config.decay_start_epoch = 10;
  config.decay_epochs = 2;
  const LearningRateSchedule schedule(config, kHiddenSize);
  REQUIRE(schedule.rate(5, 10, kLastUpdate) == Approx(0.8));
  REQUIRE(schedule.rate(5, 11, kLastUpdate) == Approx(0.4));
  REQUIRE(schedule.rate(5, 12, kLastUpdate) == Approx(0.4));
  REQUIRE(schedule.rate(5, 13, kLastUpdate) == Approx(0.2));
}

TEST_CASE("Plateau decays after validations without improvement, down to its floor", "[train]") {
  auto config = with_schedule("plateau");
  config.plateau_patience = 2;
  config.min_learning_rate = 0.3;
  LearningRateSchedule schedule(config, kHiddenSize);
  schedule.observe_validation(false);
  schedule.observe_validation(true);
  schedule.observe_validation(false);
  REQUIRE(schedule.rate(5, 1, kLastUpdate) == Approx(0.8));
  schedule.observe_validation(false);
  REQUIRE(schedule.rate(5, 1, kLastUpdate) == Approx(0.4));
  schedule.observe_validation(false);
  schedule.observe_validation(false);
  REQUIRE(schedule.rate(5, 1, kLastUpdate) == Approx(0.3));
}

TEST_CASE("The linear schedule falls from its peak to the last update", "[train]") {
  auto config = with_schedule("linear");
  config.warmup_updates = 100;
  const LearningRateSchedule schedule(config, kHiddenSize);
  REQUIRE(schedule.rate(50, 1, kLastUpdate) == Approx(0.4));
  REQUIRE(schedule.rate(101, 2, kLastUpdate) == Approx(0.8));
  REQUIRE(schedule.rate(351, 4, kLastUpdate) == Approx(0.4));
  REQUIRE(schedule.rate(600, 6, kLastUpdate) == Approx(0.8 / 500));
  REQUIRE(schedule.rate(201, 3, 300) == Approx(0.4));
  REQUIRE(schedule.rate(400, 4, 300) == 0.0);
}

TEST_CASE("The last update is that of the nearest limit", "[train]") {
  const EpochSize epoch{100, 5000.0};
  TrainConfig config;
  config.max_epochs = 0;
  REQUIRE(last_update(config, epoch) == 0);
  config.max_epochs = 6;
  REQUIRE(last_update(config, epoch) == 600);
  config.max_updates = 300;
  REQUIRE(last_update(config, epoch) == 300);
  config.max_tokens = 10001;  // 50 an update
  REQUIRE(last_update(config, epoch) == 201);
  REQUIRE(last_update(config, epoch, {100, 8001}) == 140);  // had 80 an update so far
  REQUIRE(last_update(config, epoch, {199, 10000}) == 200);
  REQUIRE(last_update(config, {}) == 300);  // before the first epoch
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
    REQUIRE(schedule.rate(update, 1, kLastUpdate) == Approx(expected));
  }
}

}  // namespace nmt
