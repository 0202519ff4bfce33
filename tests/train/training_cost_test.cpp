#include "train/training_cost.h"

#include "support/expect_error.h"
#include "support/torch_catch.h"

namespace nmt {

TEST_CASE("The estimate says where max_minutes ends a run before its updates are made", "[train]") {
  TrainingCost cost;
  cost.update = 0.5;
  cost.epoch = {100, 1000};
  Settings settings;
  settings.train.max_epochs = 10;
  CHECK_FALSE(contains(to_text(cost, settings), "max_minutes"));
  settings.train.max_minutes = 10;
  CHECK_FALSE(contains(to_text(cost, settings), "max_minutes"));
  settings.train.max_minutes = 0.5;
  CHECK(contains(to_text(cost, settings),
                 "1000 updates 8 min  ends at max_minutes 0.5 after about 60 updates"));
  settings.train.max_epochs = 0;  // no other limit
  CHECK(contains(to_text(cost, settings), "ends at max_minutes 0.5 after about 60 updates"));
}

TEST_CASE("The estimate names the memory of a run on a CPU alone", "[train]") {
  TrainingCost cost;
  cost.update = 0.5;
  cost.epoch = {100, 1000};
  cost.memory_bytes = 4e8;
  Settings settings;
  CHECK(contains(to_text(cost, settings), "memory 400 MB"));
  settings.train.device = "cuda";
  CHECK_FALSE(contains(to_text(cost, settings), "memory"));
}

TEST_CASE("A run that needs more memory than is available names what limits it", "[train]") {
  Settings settings;
  CHECK(memory_warning(4e8, settings, 4e8).empty());
  CHECK(contains(memory_warning(4e8, settings, 3e8),
                 "take 400 MB, but only 300 MB are available; use --train.max-memory"));
  settings.train.device = "cuda";
  CHECK(memory_warning(4e8, settings, 3e8).empty());
}

}  // namespace nmt
