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
  REQUIRE(batch.source_places == std::vector<int64_t>{1, 0, 1, 1});
  REQUIRE(batch.parents == std::vector<int64_t>{-1, -1, 0, 2});
  const auto first = batch.attended(0);
  REQUIRE(std::vector<int32_t>(first.rows, first.rows + first.size) == std::vector<int32_t>{1, 3});
  const auto second = batch.attended(1);
  REQUIRE(std::vector<int32_t>(second.rows, second.rows + second.size) ==
          std::vector<int32_t>{0, 2, 4});
}

TEST_CASE("Targets of one source share the rows of their prefixes", "[fused]") {
  const int64_t source[] = {10};
  const int64_t inputs[4][4] = {{2, 30, 31, 32}, {2, 40}, {2, 30, 31}, {2, 30, 33}};
  const int64_t outputs[4][4] = {{30, 31, 32, 3}, {40, 3}, {30, 31, 3}, {30, 33, 3}};
  std::vector<TokenPairView> pairs = {{source, 1, inputs[0], outputs[0], 4, {}, false},
                                      {source, 1, inputs[1], outputs[1], 2, {}, true},
                                      {source, 1, inputs[2], outputs[2], 3, {}, true},
                                      {source, 1, inputs[3], outputs[3], 3, {}, true},
                                      {source, 1, inputs[1], outputs[1], 2, {}, false}};
  const auto batch = pack_batch(pairs, TargetLayout::kPrefixTrees);
  REQUIRE(batch.target.step_begin == std::vector<int64_t>{0, 2, 5, 7, 8});
  REQUIRE(batch.target_input == std::vector<int64_t>{2, 2, 30, 40, 40, 31, 33, 32});
  REQUIRE(batch.target_output == std::vector<int64_t>{30, 40, 31, 3, 3, 32, 3, 3});
  REQUIRE(batch.parents == std::vector<int64_t>{-1, -1, 0, 0, 1, 2, 2, 5});
  REQUIRE(batch.pairs == std::vector<size_t>{0, 4, 0, 1, 4, 0, 3, 0});
  std::vector<std::vector<int64_t>> further;
  for (const auto& target : batch.further_targets) {
    further.push_back({target.row, static_cast<int64_t>(target.pair), target.token});
  }
  REQUIRE(further == std::vector<std::vector<int64_t>>{
                         {0, 1, 40}, {0, 2, 30}, {0, 3, 30}, {2, 2, 31}, {2, 3, 33}, {5, 2, 3}});
}

}  // namespace nmt
