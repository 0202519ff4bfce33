#include "translate/warnings.h"

#include <cmath>

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

TEST_CASE("Lengths far from those of the validation text are named", "[translate]") {
  const Calibration::LengthRatio usual{0.5, 0.1};
  REQUIRE(ratio_warning(0.89, usual).empty());
  REQUIRE(ratio_warning(0.11, usual).empty());
  REQUIRE(ratio_warning(0.5 + std::log(2.0), usual) ==
          "ratio: 2.0 times as long as usual for this text");
  REQUIRE(ratio_warning(0.5 - std::log(3.0), usual) ==
          "ratio: 3.0 times as short as usual for this text");
}

TEST_CASE("Numbers that differ are named", "[translate]") {
  const auto* const warning = "number: the numbers of the source and of the translation differ";
  CHECK(number_warning("Le vol 714 de 1998", "The flight") == warning);
  CHECK(number_warning("Der Hund", "The dog of 127") == warning);
  CHECK(number_warning("um 15 Uhr 20", "at 16:00") == warning);
  CHECK(number_warning("Der 27. Hund", "The 28th dog") == warning);
  CHECK(number_warning("Le vol 714 part à 15:30.", "Flight 714 leaves at 3:30 p.m.").empty());
  CHECK(number_warning("am 25.10.2024", "on October 25, 2024").empty());
  CHECK(number_warning("zwölf von 20", "twelve of twenty").empty());
  CHECK(number_warning("3만 원", "30,000 won").empty());
}

TEST_CASE("What the model cannot know is named", "[translate]") {
  SourceMeasures measures;
  REQUIRE(unknown_warning(measures).empty());
  REQUIRE(script_warning(measures).empty());
  measures.unknown_words = {"a", "b"};
  REQUIRE(unknown_warning(measures) == "unknown: characters that the model has never seen, in a b");
  measures.foreign.share = 0.49;
  REQUIRE(script_warning(measures).empty());
  measures.foreign.share = 0.5;
  measures.foreign.script = Script::kThai;
  REQUIRE(script_warning(measures) ==
          "script: 50 % of the letters are in scripts unknown to the model (Thai)");
}

TEST_CASE("A loop of two to ten words is found at any place", "[translate]") {
  for (size_t n = 2; n <= 10; ++n) {
    Texts words = {"it", "is"};
    for (size_t i = 0; i < 3 * n; ++i) words.push_back("w" + std::to_string(i % n));
    words.push_back("w0");
    REQUIRE_FALSE(repetition_warning({}, words).empty());
  }
}

}  // namespace nmt
