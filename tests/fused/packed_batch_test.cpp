#include "fused/packed_batch.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("Packed sequences are laid out step by step, the longest first", "[fused]") {
  const auto packed = pack_sequences({2, 4, 1, 4});
  REQUIRE(packed.order == std::vector<int64_t>{1, 3, 0, 2});
  REQUIRE(packed.lengths == std::vector<int64_t>{4, 4, 2, 1});
  REQUIRE(packed.step_begin == std::vector<int64_t>{0, 4, 7, 9, 11});
  REQUIRE(packed.num_steps() == 4);
  REQUIRE(packed.num_rows() == 11);
  REQUIRE(packed.rows_at(1) == 3);
  REQUIRE(packed.rows_at(4) == 0);
}

TEST_CASE("A packed batch finds each target's source rows", "[fused]") {
  const int64_t sources[2][3] = {{10, 11, 0}, {20, 21, 22}};
  const int64_t inputs[2][3] = {{2, 30, 31}, {2, 0, 0}};
  const int64_t outputs[2][3] = {{30, 31, 3}, {3, 0, 0}};
  const auto batch = pack_batch(
      {{sources[0], 2, inputs[0], outputs[0], 3}, {sources[1], 3, inputs[1], outputs[1], 1}});
  REQUIRE(batch.source_ids == std::vector<int64_t>{20, 10, 21, 11, 22});
  REQUIRE(batch.target_input == std::vector<int64_t>{2, 2, 30, 31});
  REQUIRE(batch.target_output == std::vector<int64_t>{30, 3, 31, 3});
  // The longest target belongs to the shorter source, which stands second there.
  REQUIRE(batch.source_place == std::vector<int64_t>{1, 0});
  const auto first = batch.attended(0);
  REQUIRE(std::vector<int32_t>(first.rows, first.rows + first.size) == std::vector<int32_t>{1, 3});
  const auto second = batch.attended(1);
  REQUIRE(std::vector<int32_t>(second.rows, second.rows + second.size) ==
          std::vector<int32_t>{0, 2, 4});
}

}  // namespace nmt
