#include "train/fit_memory.h"

#include <utility>

#include "support/expect_error.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

using BatchSetting = std::pair<int64_t, int64_t>;  // batch size, gradient accumulation

Settings with_batches(const BatchSetting& batches) {
  Settings settings;
  settings.train.max_memory = "2G";
  settings.data.batch_size = batches.first;
  settings.train.gradient_accumulation = batches.second;
  return settings;
}

BatchSetting kept(const BatchSetting& given, const BatchSetting& saved, bool automatic = false) {
  auto settings = with_batches(given);
  keep_fitted_batches(settings, with_batches(saved), automatic);
  return {settings.data.batch_size, settings.train.gradient_accumulation};
}

}  // namespace

TEST_CASE("A resumed run keeps batches that were cut from what is asked for, and no others",
          "[train]") {
  CHECK(kept({64, 1}, {32, 2}) == BatchSetting(32, 2));
  CHECK(kept({64, 1}, {22, 3}) == BatchSetting(22, 3));
  CHECK(kept({64, 3}, {32, 6}) == BatchSetting(32, 6));
  CHECK(kept({32, 2}, {32, 2}) == BatchSetting(32, 2));
  CHECK(kept({100, 1}, {32, 2}) == BatchSetting(100, 1));
  CHECK(kept({64, 3}, {32, 2}) == BatchSetting(64, 3));
  CHECK(kept({32, 1}, {32, 2}, /*automatic=*/true) == BatchSetting(32, 2));
  for (const auto* limit : {"", "3G"}) {
    auto other = with_batches({64, 1});
    other.train.max_memory = limit;
    keep_fitted_batches(other, with_batches({32, 2}), false);
    CHECK(other.data.batch_size == 64);
  }
}

TEST_CASE("A model that is larger than the memory given is refused with both sizes", "[train]") {
  Seq2SeqOptions model;
  model.source_vocabulary_size = model.target_vocabulary_size = 1000;
  TrainConfig train;
  REQUIRE_NOTHROW(require_memory_for(model, train));
  train.max_memory = "1G";
  REQUIRE_NOTHROW(require_memory_for(model, train));
  model.hidden_size = 4096;
  const auto error = error_of([&] { require_memory_for(model, train); });
  CHECK(contains(error, "train.max_memory: 1G is less than the "));
  CHECK(contains(error, "M that training is estimated to take"));
}

}  // namespace nmt
