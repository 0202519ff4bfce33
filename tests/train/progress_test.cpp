#include "train/progress.h"

#include "support/catch.h"
#include "support/expect_error.h"
#include "unicode/utf8.h"

namespace nmt {

TEST_CASE("Progress is that towards the nearest limit", "[train]") {
  TrainConfig config;
  config.max_epochs = 10;
  const TrainedAmount done{250, 9000};
  REQUIRE(fraction_done(config, 100, done, 60) == Approx(0.25));
  config.max_updates = 500;
  REQUIRE(fraction_done(config, 100, done, 60) == Approx(0.5));
  config.max_tokens = 15000;
  REQUIRE(fraction_done(config, 100, done, 60) == Approx(0.6));
  config.max_minutes = 1.25;
  REQUIRE(fraction_done(config, 100, done, 60) == Approx(0.8));
  REQUIRE(fraction_done(config, 100, {900, 9000}, 60) == 1.0);
}

TEST_CASE("Times read as clocks", "[train]") {
  REQUIRE(clock_text(5) == "0:05");
  REQUIRE(clock_text(725) == "12:05");
  REQUIRE(clock_text(3723) == "1:02:03");
}

TEST_CASE("The progress line fits the terminal and starts with the time left", "[train]") {
  TrainingProgress progress;
  progress.epoch = 12;
  progress.update = 123456;
  progress.loss = 3.25;
  progress.learning_rate = 1e-3;
  progress.tokens_per_second = 12345;
  progress.seconds = 3600;
  progress.fraction = 0.25;
  const auto shown = [&](size_t columns) {
    const auto line = progress_bar(progress, columns);
    CHECK(display_width(line) <= columns);
    return line;
  };
  CHECK(shown(40) == " 25%  left 3:00:00  tokens/s 12345");
  CHECK(shown(80) == " 25%  left 3:00:00  tokens/s 12345  update 123456  loss 3.250  epoch 12");
  CHECK(contains(shown(110), "epoch 12  learning-rate 1.00e-03"));
  const auto wide = shown(200);
  CHECK(contains(wide, "perplexity 25.79"));
  CHECK(wide.rfind("█████░", 0) == 0);
}

}  // namespace nmt
