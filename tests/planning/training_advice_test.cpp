#include "planning/training_advice.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

using Curve = std::function<double(double share)>;

/// Twenty validations of a run whose losses are functions of the share of it that is over.
RunHistory history_of(const Curve& training, const Curve& validation, int validations = 20) {
  RunHistory history;
  for (int i = 1; i <= 100; ++i) {
    TrainPoint point;
    point.update = i * 10;
    point.loss = training(i / 100.0);
    history.training.push_back(point);
  }
  for (int i = 1; i <= validations; ++i) {
    ValidationPoint point;
    point.update = i * 1000 / validations;
    point.loss = validation(static_cast<double>(i) / validations);
    history.validations.push_back(point);
  }
  return history;
}

bool advises(const std::string& what, const RunHistory& history) {
  return training_advice(history, "").rfind(what, 0) == 0;
}

}  // namespace

TEST_CASE("Advice follows from the curves", "[planning]") {
  const Curve falling = [](double share) { return 4 - 2 * share; };
  const Curve flat = [](double share) { return 2 + 2 * std::exp(-12 * share); };
  const Curve overfitted = [](double share) { return 2 + 4 * (share - 0.5) * (share - 0.5); };
  const Curve memorized = [](double share) { return 2 - 1.5 * share; };
  CHECK(advises("more time", history_of(falling, falling)));
  CHECK(advises("more time", history_of(memorized, falling)));
  CHECK(advises("more data", history_of(memorized, overfitted)));
  CHECK(advises("more data", history_of(memorized, flat)));
  CHECK(advises("a larger model", history_of(flat, flat)));
  auto skipped = history_of(flat, flat);  // the last updates
  skipped.training.back().loss = std::numeric_limits<double>::quiet_NaN();
  CHECK(advises("a larger model", skipped));
  auto brief = history_of(flat, flat);
  for (auto& point : brief.validations) point.epoch = 1;
  CHECK(advises("more time", brief));
  for (const auto& history : {history_of(falling, falling), brief}) {
    CHECK(contains(training_advice(history, "--train.max-updates") + "\n",
                   "; raise --train.max-updates\n"));
  }
}

TEST_CASE("Curves that say nothing get no advice", "[planning]") {
  const Curve falling = [](double share) { return 4 - 2 * share; };
  const Curve lost = [](double) { return std::numeric_limits<double>::quiet_NaN(); };
  for (const auto& history : {RunHistory(), history_of(falling, falling, 4),
                              history_of(falling, lost), history_of(lost, falling)}) {
    CHECK(training_advice(history, "--minutes").empty());
  }
}

TEST_CASE("Advice on more time names the limit that ended the run", "[planning]") {
  TrainConfig train;
  CHECK(limit_to_raise("max_updates reached", train) == "--train.max-updates");
  CHECK(limit_to_raise("bleu did not improve in 5 validations", train) == "--validation.patience");
  train.max_minutes = 10;
  CHECK(limit_to_raise("max_minutes reached", train) == "--minutes");
  CHECK(limit_to_raise("bleu did not improve in 5 validations", train) == "--validation.patience");
  CHECK(limit_to_raise("max_epochs reached", train) == "--minutes and --train.max-epochs");
}

}  // namespace nmt
