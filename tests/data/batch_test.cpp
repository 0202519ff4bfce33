#include "data/batch.h"

#include <ATen/ATen.h>

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

TEST_CASE("A batch of sources alone has no targets", "[data]") {
  const auto batch = make_source_batch({{5}, {6, 7}});
  REQUIRE(batch.source.size(1) == 2);
  REQUIRE_FALSE(batch.target_input.defined());
  REQUIRE(batch.to(torch::kCPU).source.equal(batch.source));
}

}  // namespace nmt
