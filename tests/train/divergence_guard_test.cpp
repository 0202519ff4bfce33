#include "train/divergence_guard.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

#include "support/expect_error.h"
#include "support/torch_catch.h"
#include "train/small_model.h"
#include "train/steps/named_parameters.h"

namespace nmt {

TEST_CASE("Failures in a row bring the last good weights back, and in the end an error",
          "[train]") {
  const auto model = small_model();
  auto weights = unique_named_parameters(model).front().tensor;
  DivergenceGuard guard(model);
  weights.fill_(7.0);
  guard.succeeded(DivergenceGuard::kGoodWeightsEvery, model);  // remembered
  weights.fill_(8.0);
  guard.succeeded(DivergenceGuard::kGoodWeightsEvery + 1, model);  // not
  int64_t update = DivergenceGuard::kGoodWeightsEvery + 1;
  for (int64_t rollback = 0; rollback < DivergenceGuard::kMaxRollbacks; ++rollback) {
    weights.fill_(9.0);
    for (int64_t i = 1; i < DivergenceGuard::kFailuresToRollBack; ++i) {
      REQUIRE_FALSE(guard.failed(++update, model));
    }
    REQUIRE(weights.eq(9.0).all().item<bool>());
    REQUIRE(guard.failed(++update, model));
    REQUIRE(weights.eq(7.0).all().item<bool>());
  }
  const auto message = error_of([&] {
    for (int64_t i = 0; i < DivergenceGuard::kFailuresToRollBack; ++i)
      guard.failed(++update, model);
  });
  REQUIRE(contains(message, "training diverged at update 121"));
  REQUIRE(guard.skipped_updates() == 20);
}

TEST_CASE("One success between failures is enough to go on", "[train]") {
  const auto model = small_model();
  DivergenceGuard guard(model);
  for (int64_t update = 1; update < 100; ++update) {
    if (update % DivergenceGuard::kFailuresToRollBack == 0) {
      guard.succeeded(update, model);
    } else {
      REQUIRE_FALSE(guard.failed(update, model));
    }
  }
}

TEST_CASE("A guard that was saved counts on", "[train]") {
  const auto model = small_model();
  DivergenceGuard guard(model);
  for (int64_t i = 1; i < DivergenceGuard::kFailuresToRollBack; ++i) guard.failed(i, model);
  TensorFile state;
  guard.save_state(model, state);
  auto weights = unique_named_parameters(model).front().tensor;
  const auto good = weights.clone();
  weights.fill_(5.0);
  DivergenceGuard restored(model);
  restored.load_state(model, state, guard.counters());
  REQUIRE(restored.failed(99, model));
  REQUIRE(torch::equal(weights, good));
}

}  // namespace nmt
