#include "translate/warnings.h"

#include "support/catch.h"

namespace nmt {
namespace {

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("A loop is noticed, ordinary repetition is not", "[translate]") {
  REQUIRE(repetition_warning({}, {"a", "very", "very", "very", "big", "dog"}).empty());
  REQUIRE(repetition_warning({}, {"no", "no", "no", "no"}) == "repetition: no (4 times in a row)");
  REQUIRE(repetition_warning({}, {"of", "the", "x", "of", "the", "x"}).empty());
  REQUIRE(repetition_warning({}, {"a", "of", "the", "of", "the", "of", "the", "end"}) ==
          "repetition: of the (3 times in a row)");
  REQUIRE(repetition_warning({}, {}).empty());
}

TEST_CASE("Of loops behind each other the longest is named", "[translate]") {
  REQUIRE(repetition_warning({}, {"a", "a", "a", "a", "b", "b", "b", "b", "b"}) ==
          "repetition: b (5 times in a row)");
  REQUIRE(repetition_warning({}, {"x", "y", "x", "y", "x", "y", "x", "z", "x", "z", "x", "z", "x",
                                  "z"}) == "repetition: x z (4 times in a row)");
}

TEST_CASE("What the source repeats too is no loop", "[translate]") {
  REQUIRE(repetition_warning({"하", "하", "하", "하"}, {"ha", "ha", "ha", "ha"}).empty());
  REQUIRE_FALSE(repetition_warning({"하", "하", "하", "하"}, Texts(5, "ha")).empty());
}

TEST_CASE("Source words in a row without attention are named", "[translate]") {
  const Texts words = {"a", "b", "c", "d", "e"};
  REQUIRE(coverage_warning(words, {1.0, 0.06, 0.06, 2.0, 0.3}).empty());
  REQUIRE(coverage_warning(words, {0.0, 1.0, 0.01, 2.0, 0.0}).empty());
  REQUIRE(coverage_warning(words, {0.0, 0.01, 1.0, 2.0, 1.0}) ==
          "coverage: almost no attention on a b (words 0-1)");
  REQUIRE(coverage_warning(words, {0.0, 0.0, 1.0, 0.0, 0.0}) ==
          "coverage: almost no attention on a b (words 0-1)");
  REQUIRE(coverage_warning(words, {0.0, 1.0, 0.04, 0.0, 0.0}) ==
          "coverage: almost no attention on c d e (words 2-4)");
}

TEST_CASE("A translation that was cut off says so", "[translate]") {
  REQUIRE(length_warning(9, 10).empty());
  REQUIRE(length_warning(10, 10) == "length: cut at the maximum length, 10 tokens");
}

}  // namespace nmt
