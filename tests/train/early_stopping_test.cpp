#include "train/early_stopping.h"

#include <limits>

#include "support/catch.h"

namespace nmt {

TEST_CASE("Loss improves downwards, BLEU upwards", "[train]") {
  EarlyStopping loss(ValidationMetric::kLoss, 2);
  REQUIRE(loss.observe(3.0));
  REQUIRE(loss.observe(2.0));
  REQUIRE_FALSE(loss.observe(2.5));
  EarlyStopping bleu(ValidationMetric::kBleu, 2);
  REQUIRE(bleu.observe(3.0));
  REQUIRE_FALSE(bleu.observe(2.0));
}

TEST_CASE("Patience counts validations in a row and NaN is no improvement", "[train]") {
  EarlyStopping stopping(ValidationMetric::kChrf, 2);
  REQUIRE_FALSE(stopping.observe(std::numeric_limits<double>::quiet_NaN()));
  REQUIRE_FALSE(stopping.exhausted());
  REQUIRE(stopping.observe(1.0));
  stopping.observe(0.5);
  REQUIRE_FALSE(stopping.exhausted());
  stopping.observe(0.5);
  REQUIRE(stopping.exhausted());
  EarlyStopping never(ValidationMetric::kChrf, 0);
  for (int i = 0; i < 50; ++i) never.observe(0.0);
  REQUIRE_FALSE(never.exhausted());
}

}  // namespace nmt
