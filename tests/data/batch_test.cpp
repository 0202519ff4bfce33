#include "data/batch.h"

#include <ATen/ATen.h>

#include <vector>

#include "data/sample_corpus.h"
#include "support/torch_catch.h"

namespace nmt {

TEST_CASE("A batch is padded, begins with BOS and ends with EOS", "[data]") {
  const auto batch = make_batch({{5, 6, 7}, {8}}, {{9}, {10, 11}});
  REQUIRE(torch::equal(batch.source, torch::tensor({{5, 6, 7}, {8, 0, 0}}, torch::kLong)));
  REQUIRE(torch::equal(batch.source_lengths, torch::tensor({3, 1}, torch::kLong)));
  REQUIRE(torch::equal(batch.target_input, torch::tensor({{2, 9, 0}, {2, 10, 11}}, torch::kLong)));
  REQUIRE(torch::equal(batch.target_output, torch::tensor({{9, 3, 0}, {10, 11, 3}}, torch::kLong)));
  REQUIRE(batch.num_source_tokens == 4);
  REQUIRE(batch.num_target_tokens == 5);
}

TEST_CASE("A batch of a corpus holds its pairs in the order asked for", "[data]") {
  const PreparedText prepared(11);
  const auto corpus = prepared.prepare();
  const std::vector<SizedPair> pairs = {{{0, 7}}, {{0, 0}}, {{0, 3}}};
  std::vector<std::vector<int32_t>> sources;
  std::vector<std::vector<int32_t>> targets;
  for (const size_t pair : {7U, 0U, 3U}) {
    sources.push_back(prepared.source->encode(prepared.text.source[pair]));
    targets.push_back(prepared.target->encode(prepared.text.target[pair]));
  }
  const auto batch = make_batch({corpus}, pairs);
  const auto expected = make_batch(sources, targets);
  REQUIRE(torch::equal(batch.source, expected.source));
  REQUIRE(torch::equal(batch.source_lengths, expected.source_lengths));
  REQUIRE(torch::equal(batch.target_input, expected.target_input));
  REQUIRE(torch::equal(batch.target_output, expected.target_output));
  REQUIRE(batch.num_source_tokens == expected.num_source_tokens);
  REQUIRE(batch.num_target_tokens == expected.num_target_tokens);
  REQUIRE(batch.global_target_tokens == batch.num_target_tokens);
  REQUIRE(batch.global_source_tokens == batch.num_source_tokens);
}

TEST_CASE("A batch of sources alone has no targets", "[data]") {
  const auto batch = make_source_batch({{5}, {6, 7}});
  REQUIRE(batch.source.size(1) == 2);
  REQUIRE_FALSE(batch.target_input.defined());
  REQUIRE(batch.to(torch::kCPU).source.equal(batch.source));
}

}  // namespace nmt
