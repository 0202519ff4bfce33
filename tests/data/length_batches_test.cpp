#include "data/length_batches.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "data/sample_corpus.h"
#include "numbers/random.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

using Pairs = std::vector<int64_t>;

DataConfig config_of(const char* type, int64_t size, int64_t bucket_batches) {
  DataConfig config;
  config.batch_type = parse_choice<BatchUnit>(type).value();
  config.batch_size = size;
  config.bucket_batches = bucket_batches;
  return config;
}

std::vector<std::vector<SizedPair>> batches_of(const CorpusMixture& corpora,
                                               const DataConfig& config, uint64_t seed = 1,
                                               int64_t epoch = 1) {
  const EpochBuckets buckets(corpora, config, seed, epoch);
  std::vector<std::vector<SizedPair>> batches;
  for (int64_t i = 0; i < buckets.size(); ++i) {
    const auto bucket = buckets[i];
    for (const size_t batch : bucket.order) batches.push_back(bucket.batches.pairs_of(batch));
  }
  return batches;
}

std::vector<Pairs> pairs_of(const std::vector<std::vector<SizedPair>>& batches) {
  std::vector<Pairs> pairs;
  for (const auto& batch : batches) {
    pairs.emplace_back();
    for (const auto& pair : batch) pairs.back().push_back(pair.where.pair);
  }
  return pairs;
}

Pairs sorted(const std::vector<Pairs>& batches) {
  Pairs all;
  for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("Every pair is in exactly one batch of an epoch", "[data]") {
  const PreparedText prepared(501);
  const CorpusMixture corpora({prepared.prepare()});
  Pairs expected(501);
  std::iota(expected.begin(), expected.end(), 0);
  for (const char* type : {"sentences", "tokens"}) {
    for (const int64_t size : {1, 7, 64, 5000}) {
      INFO(type << ' ' << size);
      REQUIRE(sorted(pairs_of(batches_of(corpora, config_of(type, size, 3)))) == expected);
    }
  }
}

TEST_CASE("An epoch's batches are a function of seed and epoch alone", "[data]") {
  const PreparedText prepared(300);
  const CorpusMixture corpora({prepared.prepare()});
  const auto order = [&](uint64_t seed, int64_t epoch) {
    return pairs_of(batches_of(corpora, config_of("sentences", 10, 5), seed, epoch));
  };
  REQUIRE(order(5, 2) == order(5, 2));
  REQUIRE(order(5, 2) != order(5, 3));
  REQUIRE(order(5, 2) != order(6, 2));
}

TEST_CASE("Batches keep to their size, in sentences or in padded tokens", "[data]") {
  const PreparedText prepared(400);
  const CorpusMixture corpora({prepared.prepare()});
  for (const auto& batch : batches_of(corpora, config_of("sentences", 7, 100))) {
    REQUIRE(batch.size() <= 7);
  }
  for (const auto& batch : batches_of(corpora, config_of("tokens", 60, 100))) {
    size_t width = 0;
    for (const auto& pair : batch) {
      width = std::max({width, pair.source_length, pair.target_length + 1});
    }
    REQUIRE((batch.size() == 1 || batch.size() * width <= 60));
  }
}

TEST_CASE("The number of batches in an epoch is known, of tokens about", "[data]") {
  // One side is long, the other short: a batch is as wide as the longer.
  PreparedText prepared(400);
  for (size_t i = 0; i < 400; ++i) {
    auto& cut = i % 2 == 0 ? prepared.text.source[i] : prepared.text.target[i];
    cut = cut.substr(0, cut.find(' '));
  }
  prepared.folder.write("source", join_lines(prepared.text.source));
  prepared.folder.write("target", join_lines(prepared.text.target));
  const CorpusMixture corpora({prepared.prepare()});
  for (const char* type : {"sentences", "tokens"}) {
    const auto config = config_of(type, std::string(type) == "tokens" ? 300 : 7, 10);
    const auto said = static_cast<double>(EpochBuckets(corpora, config, 1, 1).num_batches());
    const auto made = static_cast<double>(batches_of(corpora, config).size());
    INFO(type);
    CHECK(said == Approx(made).epsilon(std::string(type) == "tokens" ? 0.1 : 0.0));
  }
}

TEST_CASE("The order for validation goes from long to short, batch after batch", "[data]") {
  const PreparedText prepared(50);
  const auto batches = batches_by_length(prepared.prepare(), 7);
  REQUIRE(batches.size() == 8);
  REQUIRE(batches.pairs_of(7).size() == 1);
  REQUIRE(batches.pairs.size() == 50);
  REQUIRE(std::is_sorted(
      batches.pairs.begin(), batches.pairs.end(),
      [](const SizedPair& a, const SizedPair& b) { return a.target_length > b.target_length; }));
}

TEST_CASE("The order of random numbers is the same on every machine", "[data]") {
  std::vector<uint32_t> values = {0, 1, 2, 3, 4, 5, 6};
  Random random(11, 3);
  shuffle(values, random);
  REQUIRE(values == std::vector<uint32_t>{6, 2, 3, 1, 5, 4, 0});
  REQUIRE(Random(11, 3).next() == 0x57292b783b1ac976U);
}

TEST_CASE("Bucketing by length saves most of the padding", "[data]") {
  const PreparedText prepared(1000);
  const CorpusMixture corpora({prepared.prepare()});
  const auto padding = [&](int64_t bucket_batches) {
    size_t cells = 0;
    size_t tokens = 0;
    for (const auto& batch : batches_of(corpora, config_of("sentences", 20, bucket_batches))) {
      size_t width = 0;
      for (const auto& pair : batch) {
        width = std::max(width, pair.target_length);
        tokens += pair.target_length;
      }
      cells += width * batch.size();
    }
    return static_cast<double>(cells - tokens) / static_cast<double>(tokens);
  };
  REQUIRE(padding(50) < 0.05);
  REQUIRE(padding(1) > 0.5);
}

}  // namespace nmt
