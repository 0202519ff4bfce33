#include "train/early_stopping.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "support/catch.h"

namespace nmt {

TEST_CASE("Loss improves downwards, BLEU upwards", "[train]") {
  EarlyStopping loss(ValidationMetric::kLoss, 2);
  REQUIRE(loss.observe({3.0}));
  REQUIRE(loss.observe({2.0}));
  REQUIRE_FALSE(loss.observe({2.5}));
  EarlyStopping bleu(ValidationMetric::kBleu, 2);
  REQUIRE(bleu.observe({3.0}));
  REQUIRE_FALSE(bleu.observe({2.0}));
}

TEST_CASE("Patience counts validations in a row and NaN is no improvement", "[train]") {
  EarlyStopping stopping(ValidationMetric::kChrf, 2);
  REQUIRE_FALSE(stopping.observe({std::numeric_limits<double>::quiet_NaN()}));
  REQUIRE_FALSE(stopping.exhausted());
  REQUIRE(stopping.observe({1.0}));
  stopping.observe({0.5});
  REQUIRE_FALSE(stopping.exhausted());
  stopping.observe({0.5});
  REQUIRE(stopping.exhausted());
  EarlyStopping never(ValidationMetric::kChrf, 0);
  for (int i = 0; i < 50; ++i) never.observe({0.0});
  REQUIRE_FALSE(never.exhausted());
}

TEST_CASE("Of equal values the lower loss is better, so a metric that stays at 0 is no end",
          "[train]") {
  EarlyStopping bleu(ValidationMetric::kBleu, 2);
  REQUIRE(bleu.observe({0.0, 6.0}));
  REQUIRE(bleu.observe({0.0, 5.5}));
  REQUIRE(bleu.observe({0.0, 5.0}));
  REQUIRE_FALSE(bleu.observe({0.0, 5.2}));
  EarlyStopping restored(ValidationMetric::kBleu, 2);
  restored.restore(bleu.to_json());
  REQUIRE_FALSE(restored.observe({0.0, 5.0}));
  REQUIRE(restored.exhausted());
  REQUIRE(restored.observe({0.0, 4.9}));
  REQUIRE(restored.observe({0.1, 7.0}));
}

}  // namespace nmt
