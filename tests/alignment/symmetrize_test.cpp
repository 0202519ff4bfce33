#include "alignment/symmetrize.h"

#include "support/catch.h"

namespace nmt {
namespace {

constexpr auto kGrow = Symmetrization::kGrowDiagFinalAnd;

}  // namespace

TEST_CASE("Intersection and union are those of the two directions", "[alignment]") {
  const LinkSet forward = {{0, 0}, {1, 1}, {1, 2}};
  const LinkSet backward = {{0, 0}, {2, 1}};
  CHECK(symmetrize(forward, backward, Symmetrization::kIntersection) == LinkSet{{0, 0}});
  CHECK(symmetrize(forward, backward, Symmetrization::kUnion) ==
        LinkSet{{0, 0}, {1, 1}, {1, 2}, {2, 1}});
}

TEST_CASE("Growing adds neighbors, also diagonal ones, that align a new word", "[alignment]") {
  // From 0-0: 1-1 is diagonal, and 1-2 is next to that; 4-4 is no neighbor, but final-and adds it.
  CHECK(symmetrize({{0, 0}, {1, 1}}, {{0, 0}, {1, 2}, {4, 4}}, kGrow) ==
        LinkSet{{0, 0}, {1, 1}, {1, 2}, {4, 4}});
  // Both words of 0-1 are aligned already.
  CHECK(symmetrize({{0, 0}, {1, 1}, {0, 1}}, {{0, 0}, {1, 1}}, kGrow) == LinkSet{{0, 0}, {1, 1}});
  // 0-1 aligns the new target word 1; 1-1 then aligns the new source word 1.
  CHECK(symmetrize({{0, 0}, {0, 1}}, {{0, 0}, {1, 1}}, kGrow) == LinkSet{{0, 0}, {0, 1}, {1, 1}});
}

TEST_CASE("The final step needs two words without a link, forward links first", "[alignment]") {
  // 3-0 and 0-3 share a word with 0-0; 3-3 does not, after which 3-5 shares one with 3-3.
  CHECK(symmetrize({{0, 0}, {3, 0}, {3, 3}}, {{0, 0}, {0, 3}, {3, 5}}, kGrow) ==
        LinkSet{{0, 0}, {3, 3}});
  CHECK(symmetrize({{2, 2}}, {{2, 4}}, kGrow) == LinkSet{{2, 2}});
  CHECK(symmetrize({}, {}, kGrow).empty());
}

}  // namespace nmt
