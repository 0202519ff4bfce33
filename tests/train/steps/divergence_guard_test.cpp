#include "train/steps/divergence_guard.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

#include "support/expect_error.h"
#include "support/torch_catch.h"
#include "train/small_model.h"
#include "train/steps/named_parameters.h"

namespace nmt {

TEST_CASE("Failures in a row bring the last good weights back, and in the end an error",
          "[train]") {
  auto model = small_model();
  model->to(test_device());
  auto weights = unique_named_parameters(model).front().tensor;
  DivergenceGuard guard(unique_named_parameters(model));
  weights.fill_(7.0);
  guard.record_success(DivergenceGuard::kGoodWeightsEvery);  // remembered
  weights.fill_(8.0);
  guard.record_success(DivergenceGuard::kGoodWeightsEvery + 1);  // not
  int64_t update = DivergenceGuard::kGoodWeightsEvery + 1;
  for (int64_t rollback = 0; rollback < DivergenceGuard::kMaxRollbacks; ++rollback) {
    weights.fill_(9.0);
    for (int64_t i = 1; i < DivergenceGuard::kFailuresToRollBack; ++i) {
      REQUIRE_FALSE(guard.record_failure(++update));
    }
    REQUIRE(weights.eq(9.0).all().item<bool>());
    REQUIRE(guard.record_failure(++update));
    REQUIRE(weights.eq(7.0).all().item<bool>());
  }
  const auto message = error_of([&] {
    for (int64_t i = 0; i < DivergenceGuard::kFailuresToRollBack; ++i)
      guard.record_failure(++update);
  });
  REQUIRE(contains(message, "training diverged at update 121"));
  REQUIRE(guard.skipped_updates() == 20);
}

TEST_CASE("One success between failures is enough to go on", "[train]") {
  auto model = small_model();
  model->to(test_device());
  DivergenceGuard guard(unique_named_parameters(model));
  for (int64_t update = 1; update < 100; ++update) {
    if (update % DivergenceGuard::kFailuresToRollBack == 0) {
      guard.record_success(update);
    } else {
      REQUIRE_FALSE(guard.record_failure(update));
    }
  }
}

TEST_CASE("A guard that was saved counts on", "[train]") {
  auto model = small_model();
  model->to(test_device());
  DivergenceGuard guard(unique_named_parameters(model));
  for (int64_t i = 1; i < DivergenceGuard::kFailuresToRollBack; ++i) guard.record_failure(i);
  TensorFile state;
  guard.save_state(state);
  auto weights = unique_named_parameters(model).front().tensor;
  const auto good = weights.clone();
  weights.fill_(5.0);
  DivergenceGuard restored(unique_named_parameters(model));
  restored.load_state(state, guard.counters());
  REQUIRE(restored.record_failure(99));
  REQUIRE(torch::equal(weights, good));
}

}  // namespace nmt
