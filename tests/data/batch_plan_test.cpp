#include "data/batch_plan.h"

#include <algorithm>
#include <vector>

#include "data/sample_corpus.h"
#include "support/random.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

std::vector<std::vector<uint32_t>> batches_of(const BatchPlan& plan) {
  std::vector<std::vector<uint32_t>> batches;
  for (int64_t i = 0; i < plan.size(); ++i) batches.emplace_back(plan[i].begin(), plan[i].end());
  return batches;
}

std::vector<uint32_t> all_pairs(const BatchPlan& plan) {
  std::vector<uint32_t> pairs;
  for (const auto& batch : batches_of(plan)) pairs.insert(pairs.end(), batch.begin(), batch.end());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

TEST_CASE("Every pair is in exactly one batch of an epoch", "[data]") {
  const PreparedText prepared(501);
  const auto corpus = prepared.prepare();
  std::vector<uint32_t> expected(501);
  for (uint32_t i = 0; i < 501; ++i) expected[i] = i;
  DataConfig config;
  for (const char* type : {"sentences", "tokens"}) {
    for (const int64_t size : {1, 7, 64, 5000}) {
      config.batch_type = type;
      config.batch_size = size;
      config.bucket_batches = 3;
      REQUIRE(all_pairs(BatchPlan(corpus, config, 5, 1)) == expected);
    }
  }
  REQUIRE(all_pairs(BatchPlan::sequential(corpus, 13)) == expected);
}

TEST_CASE("A plan is a function of seed and epoch alone", "[data]") {
  const PreparedText prepared(300);
  const auto corpus = prepared.prepare();
  const DataConfig config;
  const auto plan = batches_of(BatchPlan(corpus, config, 5, 2));
  REQUIRE(plan == batches_of(BatchPlan(corpus, config, 5, 2)));
  REQUIRE(plan != batches_of(BatchPlan(corpus, config, 5, 3)));
  REQUIRE(plan != batches_of(BatchPlan(corpus, config, 6, 2)));
}

TEST_CASE("Batches keep to their size, in sentences or in padded tokens", "[data]") {
  const PreparedText prepared(400);
  const auto corpus = prepared.prepare();
  DataConfig config;
  config.batch_size = 7;
  for (const auto& batch : batches_of(BatchPlan(corpus, config, 1, 1))) REQUIRE(batch.size() <= 7);
  config.batch_type = "tokens";
  config.batch_size = 60;
  for (const auto& batch : batches_of(BatchPlan(corpus, config, 1, 1))) {
    size_t width = 0;
    for (const uint32_t pair : batch) {
      width = std::max({width, corpus.source(pair).size, corpus.target(pair).size + 1});
    }
    REQUIRE((batch.size() == 1 || batch.size() * width <= 60));
  }
}

TEST_CASE("The order for validation goes from long to short, batch after batch", "[data]") {
  const PreparedText prepared(50);
  const auto corpus = prepared.prepare();
  const auto batches = batches_of(BatchPlan::sequential(corpus, 7));
  REQUIRE(batches.size() == 8);
  REQUIRE(batches.back().size() == 1);
  size_t last = corpus.target(batches[0][0]).size;
  for (const auto& batch : batches) {
    for (const uint32_t pair : batch) {
      REQUIRE(corpus.target(pair).size <= last);
      last = corpus.target(pair).size;
    }
  }
}

TEST_CASE("The order of a plan is the same on every machine", "[data]") {
  std::vector<uint32_t> values = {0, 1, 2, 3, 4, 5, 6};
  Random random(11, 3);
  shuffle(values, random);
  REQUIRE(values == std::vector<uint32_t>{6, 2, 3, 1, 5, 4, 0});
  REQUIRE(Random(11, 3).next() == 0x57292b783b1ac976U);
}

TEST_CASE("Bucketing by length saves most of the padding", "[data]") {
  const PreparedText prepared(1000);
  const auto corpus = prepared.prepare();
  const auto padding = [&](int64_t bucket_batches) {
    DataConfig config;
    config.batch_size = 20;
    config.bucket_batches = bucket_batches;
    size_t cells = 0;
    size_t tokens = 0;
    for (const auto& batch : batches_of(BatchPlan(corpus, config, 1, 1))) {
      size_t width = 0;
      for (const uint32_t pair : batch) {
        width = std::max(width, corpus.target(pair).size);
        tokens += corpus.target(pair).size;
      }
      cells += width * batch.size();
    }
    return static_cast<double>(cells - tokens) / static_cast<double>(tokens);
  };
  REQUIRE(padding(50) < 0.05);
  REQUIRE(padding(1) > 0.5);
}

}  // namespace nmt
