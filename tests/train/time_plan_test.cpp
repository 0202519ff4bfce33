#include "train/time_plan.h"

#include <nlohmann/json.hpp>

#include "support/torch_catch.h"

namespace nmt {
namespace {

/// 10 minutes; 600 − 60 − 40 = 500 s remain for training.
Settings ten_minutes() {
  Settings settings;
  settings.automatic = {"train.max_updates"};
  settings.train.max_minutes = 10;
  settings.train.max_epochs = 0;
  settings.validation.interval = 10;
  return settings;
}

TrainingCost half_second_updates() {
  TrainingCost cost;
  cost.update = 0.5;
  cost.before = 60;
  cost.after = 40;
  cost.epoch = {100, 1000};
  return cost;
}

}  // namespace

TEST_CASE("The last update follows the pace of a run", "[train]") {
  auto settings = ten_minutes();
  const auto cost = half_second_updates();
  TimePlan plan(settings, cost);
  CHECK(plan.is_active());
  CHECK(settings.automatic.empty());
  CHECK(settings.train.max_updates == 920);  // 0.92 of the time
  CHECK_FALSE(plan.review(settings, cost.epoch, {1, 0}, 0.25));
  CHECK_FALSE(plan.review(settings, cost.epoch, {124, 0}, 31));  // before 1/16 of 500 s
  REQUIRE(plan.review(settings, cost.epoch, {128, 0}, 32));
  CHECK(settings.train.max_updates == 128 + 1722);  // 0.92 of 468 s, 4 a second
  CHECK_FALSE(plan.review(settings, cost.epoch, {248, 0}, 62));
  SECTION("of its present pace") {
    REQUIRE(plan.review(settings, cost.epoch, {384, 0}, 64));
    CHECK(settings.train.max_updates == 384 + 3208);  // 0.92 of 436 s, 8 a second
  }
  SECTION("also after it has been resumed") {
    auto resumed = TimePlan::from_json(plan.to_json());
    CHECK_FALSE(resumed.review(settings, cost.epoch, {383, 0}, 62));
    REQUIRE(resumed.review(settings, cost.epoch, {384, 0}, 64));
    CHECK(settings.train.max_updates == 384 + 3208);
  }
  SECTION("a slower one only from a quarter of the time on") {
    REQUIRE(plan.review(settings, cost.epoch, {160, 0}, 64));
    CHECK(settings.train.max_updates == 128 + 1722);  // not 160 + 401, at 1 a second
    REQUIRE(plan.review(settings, cost.epoch, {192, 0}, 128));
    CHECK(settings.train.max_updates == 192 + 171);  // 0.92 of 372 s, 2 s each
  }
  SECTION("unless its epochs end it earlier") {
    settings.train.max_epochs = 5;
    REQUIRE(plan.review(settings, cost.epoch, {128 + 32, 0}, 64));
    CHECK(settings.train.max_updates == 0);
    REQUIRE(plan.review(settings, cost.epoch, {160 + 8, 0}, 128));
    CHECK(settings.train.max_updates == 168 + 42);  // 0.92 of 372 s, 8 s each
  }
  SECTION("and the time, where a resumed run has another") {
    plan.add_minutes(0, settings.train, 128);
    CHECK_FALSE(plan.review(settings, cost.epoch, {248, 0}, 62));
    SECTION("more") {
      plan.add_minutes(5, settings.train, 128);
      REQUIRE(plan.review(settings, cost.epoch, {152, 0}, 36));
      CHECK(settings.train.max_updates == 152 + 4217);  // 0.92 of 764 s, 6 a second
      CHECK_FALSE(plan.review(settings, cost.epoch, {260, 0}, 65));
      CHECK(plan.review(settings, cost.epoch, {264, 0}, 66));
    }
    SECTION("less") {
      plan.add_minutes(-5, settings.train, 128);
      REQUIRE(plan.review(settings, cost.epoch, {168, 0}, 52));
      CHECK(settings.train.max_updates == 168 + 272);  // 0.92 of 148 s, 2 a second
    }
    SECTION("less than has passed") {
      plan.add_minutes(-9, settings.train, 128);
      REQUIRE(plan.review(settings, cost.epoch, {136, 0}, 36));
      CHECK(settings.train.max_updates == 137);  // at once
      const auto state = plan.to_json();
      CHECK(state.at("next_review").get<double>() > state.at("reviewed_seconds").get<double>());
    }
  }
  SECTION("to its end, the closer the less is left unused") {
    REQUIRE(plan.review(settings, cost.epoch, {1000, 0}, 250));
    CHECK_FALSE(plan.review(settings, cost.epoch, {1496, 0}, 374));
    REQUIRE(plan.review(settings, cost.epoch, {1500, 0}, 375));
    CHECK_FALSE(plan.review(settings, cost.epoch, {1748, 0}, 437));
    REQUIRE(plan.review(settings, cost.epoch, {1752, 0}, 438));
    CHECK(settings.train.max_updates == 1752 + 228);  // after 495 s
    CHECK_FALSE(plan.review(settings, cost.epoch, {1976, 0}, 494));
    CHECK_FALSE(plan.review(settings, cost.epoch, {1979, 0}, 501));
    SECTION("and on from there, if it is given more time") {
      plan.add_minutes(5, settings.train, 1980);
      CHECK(settings.train.max_updates == 1981);
      REQUIRE(plan.review(settings, cost.epoch, {1980, 0}, 495));
      CHECK(settings.train.max_updates == 1980 + 1122);  // 0.92 of 305 s, 4 a second
    }
  }
}

TEST_CASE("Validations take part of a run's time", "[train]") {
  auto settings = ten_minutes();
  auto cost = half_second_updates();
  cost.validation = 5;  // as long as 10 updates, every 10 updates
  TimePlan plan(settings, cost);
  CHECK(settings.train.max_updates == 460);
  CHECK_FALSE(plan.review(settings, cost.epoch, {1, 0}, 128.0 / 62));
  // 128 s, in which there were 32 updates and 3 validations as long as 30: 128/62 s each.
  REQUIRE(plan.review(settings, cost.epoch, {32, 0}, 128));
  CHECK(settings.train.max_updates == 32 + static_cast<int64_t>(0.92 * 372 / (2 * 128.0 / 62)));
}

TEST_CASE("What comes before the second update says nothing about the pace", "[train]") {
  auto settings = ten_minutes();
  auto cost = half_second_updates();
  cost.update = 2;
  TimePlan plan(settings, cost);
  CHECK(settings.train.max_updates == 230);
  CHECK_FALSE(plan.review(settings, cost.epoch, {0, 0}, 40));  // saved to a slow disk
  CHECK_FALSE(plan.review(settings, cost.epoch, {1, 0}, 50));
  CHECK_FALSE(plan.review(settings, cost.epoch, {8, 0}, 57));  // 7 more are too few
  REQUIRE(plan.review(settings, cost.epoch, {9, 0}, 58));
  CHECK(settings.train.max_updates == 9 + 406);  // 0.92 of 442 s, 1 a second
}

TEST_CASE("A run that gets faster does not end before its next review", "[train]") {
  auto settings = ten_minutes();
  auto cost = half_second_updates();
  cost.update = 4;  // other programs ran
  TimePlan plan(settings, cost);
  CHECK(settings.train.max_updates == 115);
  CHECK_FALSE(plan.review(settings, cost.epoch, {1, 0}, 1));
  CHECK_FALSE(plan.review(settings, cost.epoch, {113, 0}, 12.2));
  REQUIRE(plan.review(settings, cost.epoch, {114, 0}, 12.3));
  CHECK(settings.train.max_updates == 114 + 4486);  // 0.92 of 487.7 s, 0.1 s each
}

TEST_CASE("A run of few long updates ends on time", "[train]") {
  auto settings = ten_minutes();
  auto cost = half_second_updates();
  cost.update = 50;
  TimePlan plan(settings, cost);
  CHECK(settings.train.max_updates == 9);
  CHECK_FALSE(plan.review(settings, cost.epoch, {1, 0}, 100));
  REQUIRE(plan.review(settings, cost.epoch, {2, 0}, 200));
  CHECK(settings.train.max_updates == 2 + 2);  // 0.92 of 300 s, 100 s each
  REQUIRE(plan.review(settings, cost.epoch, {3, 0}, 260));
  CHECK(settings.train.max_updates == 3 + 3);  // 0.92 of 240 s, 60 s each
  SECTION("that is over") {
    REQUIRE(plan.review(settings, cost.epoch, {4, 0}, 510));
    CHECK(settings.train.max_updates == 5);
    CHECK_FALSE(plan.review(settings, cost.epoch, {4, 0}, 511));
  }
  SECTION("that will be over after the next update, which follows anyway") {
    REQUIRE(plan.review(settings, cost.epoch, {4, 0}, 420));
    CHECK(settings.train.max_updates == 5);
  }
}

TEST_CASE("A run without any time left still has a plan, which more time may reach", "[train]") {
  auto settings = ten_minutes();
  auto cost = half_second_updates();
  cost.before = 700;
  const TimePlan plan(settings, cost);
  CHECK(plan.is_active());
  CHECK(settings.train.max_updates == 1);
}

TEST_CASE("A large test set leaves half of the time for training", "[train]") {
  auto settings = ten_minutes();
  auto cost = half_second_updates();
  cost.after = 2000;
  const TimePlan plan(settings, cost);
  CHECK(settings.train.max_updates == 496);  // 0.92 of 270 s
}

TEST_CASE("A last update that was given stays", "[train]") {
  auto settings = ten_minutes();
  settings.automatic.clear();
  settings.train.max_updates = 7;
  const auto cost = half_second_updates();
  TimePlan plan(settings, cost);
  CHECK_FALSE(plan.is_active());
  CHECK_FALSE(plan.review(settings, cost.epoch, {5, 0}, 64));
  CHECK(settings.train.max_updates == 7);
  CHECK_FALSE(TimePlan::from_json(plan.to_json()).is_active());
}

}  // namespace nmt
