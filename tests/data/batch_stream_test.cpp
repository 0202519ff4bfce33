#include "data/batch_stream.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "data/sample_corpus.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

DataConfig small_buckets(const char* type = "sentences", int64_t size = 7) {
  DataConfig config;
  config.batch_type = parse_choice<BatchUnit>(type).value();
  config.batch_size = size;
  config.bucket_batches = 4;
  return config;
}

bool same(const Batch& a, const Batch& b) {
  return torch::equal(a.source, b.source) && torch::equal(a.source_lengths, b.source_lengths) &&
         torch::equal(a.target_input, b.target_input) &&
         torch::equal(a.target_output, b.target_output);
}

std::vector<Batch> rest_of(BatchStream& stream) {
  std::vector<Batch> batches;
  while (!stream.at_end()) batches.push_back(stream.next());
  return batches;
}

/// Source and target of each row, in order.
std::vector<std::vector<int32_t>> rows_of(const Batch& batch) {
  std::vector<std::vector<int32_t>> rows;
  for (int64_t row = 0; row < batch.source.size(0); ++row) {
    auto tokens = tokens_of(batch.source, row);
    tokens.push_back(-1);
    const auto target = tokens_of(batch.target_output, row);
    tokens.insert(tokens.end(), target.begin(), target.end());
    rows.push_back(tokens);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

CorpusMixture two_corpora() {
  const PreparedText one(150);
  PreparedText two(90, 2);
  two.request.shard_bits = 5;
  return CorpusMixture({one.prepare(), two.prepare()}, {2, 1});
}

}  // namespace

TEST_CASE("A stream goes through its buckets' batches in order", "[data]") {
  const auto corpora = two_corpora();
  const auto config = small_buckets();
  BatchStream stream(corpora, config, 3, 2);
  const EpochBuckets buckets(corpora, config, 3, 2);
  REQUIRE(stream.num_batches() == 35);
  for (int64_t i = 0; i < buckets.size(); ++i) {
    const auto bucket = buckets[i];
    for (const size_t batch : bucket.order) {
      REQUIRE_FALSE(stream.at_end());
      REQUIRE(stream.position().bucket == i);
      REQUIRE(same(stream.next(), make_batch(corpora.corpora(), bucket.batches.pairs_of(batch))));
    }
  }
  REQUIRE(stream.at_end());
}

TEST_CASE("A stream goes on from any position as if it had not stopped", "[data]") {
  const auto corpora = two_corpora();
  const auto config = GENERATE(small_buckets(), small_buckets("tokens", 90));
  BatchStream straight(corpora, config, 3, 1);
  const auto expected = rest_of(straight);
  BatchStream stopped(corpora, config, 3, 1);
  for (size_t done = 0; done <= expected.size(); ++done) {
    BatchStream resumed(corpora, config, 3, 1, stopped.position());
    const auto rest = rest_of(resumed);
    REQUIRE(rest.size() == expected.size() - done);
    for (size_t i = 0; i < rest.size(); ++i) REQUIRE(same(rest[i], expected[done + i]));
    if (!stopped.at_end()) stopped.next();
  }
}

TEST_CASE("A position beyond the corpus is its end", "[data]") {
  const auto corpora = two_corpora();
  REQUIRE(BatchStream(corpora, small_buckets(), 3, 1, {1000, 3}).at_end());
  BatchStream last(corpora, small_buckets(), 3, 1, {0, 1000});
  REQUIRE_FALSE(last.at_end());
  last.next();
  REQUIRE(last.position().bucket == 1);
}

TEST_CASE("The shares together are the common batches", "[data]") {
  const auto corpora = two_corpora();
  const auto config = small_buckets("tokens", 60);  // of some batches not everybody gets a row
  BatchStream whole(corpora, config, 3, 1);
  const auto expected = rest_of(whole);
  for (int size = 1; size <= 4; ++size) {
    std::vector<std::unique_ptr<BatchStream>> shares;
    for (int rank = 0; rank < size; ++rank) {
      shares.push_back(std::make_unique<BatchStream>(corpora, config, 3, 1, StreamPosition(),
                                                     BatchShare{rank, size}));
    }
    bool any_empty = false;
    for (const auto& batch : expected) {
      std::vector<std::vector<int32_t>> rows;
      int64_t target_tokens = 0;
      for (auto& share : shares) {
        REQUIRE_FALSE(share->at_end());
        const auto part = share->next();
        REQUIRE(part.global_source_tokens == batch.num_source_tokens);
        REQUIRE(part.global_target_tokens == batch.num_target_tokens);
        target_tokens += part.num_target_tokens;
        any_empty = any_empty || part.source.size(0) == 0;
        const auto more = rows_of(part);
        rows.insert(rows.end(), more.begin(), more.end());
      }
      std::sort(rows.begin(), rows.end());
      REQUIRE(rows == rows_of(batch));
      REQUIRE(target_tokens == batch.num_target_tokens);
    }
    for (auto& share : shares) REQUIRE(share->at_end());
    REQUIRE(any_empty == (size > 1));
  }
}

TEST_CASE("A stream that nobody reads to its end stops", "[data]") {
  const auto corpora = two_corpora();
  for (int i = 0; i < 20; ++i) BatchStream(corpora, small_buckets(), 1, 1);
  BatchStream begun(corpora, small_buckets("sentences", 1), 1, 1);
  begun.next();
}

}  // namespace nmt
