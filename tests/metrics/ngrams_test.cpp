#include "metrics/ngrams.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("Matching n-grams are counted at most as often as in the reference",
          "[evaluate][ngrams]") {
  const auto ones = count_ngrams({7, 7, 7, 8, 9}, {{7, 8, 7, 5}}, 1);
  CHECK(ones.hypothesis == 5);
  CHECK(ones.reference == 4);
  CHECK(ones.matches == 3);
  const auto twos = count_ngrams({7, 7, 7, 8, 9}, {{7, 8, 7, 5}}, 2);
  CHECK(twos.hypothesis == 4);
  CHECK(twos.reference == 3);
  CHECK(twos.matches == 1);
}

TEST_CASE("Of several references, an n-gram counts as in the one that has it most often",
          "[evaluate][ngrams]") {
  const auto ones = count_ngrams({7, 7, 7, 8, 9}, {{7, 8, 8}, {7, 7, 5}}, 1);
  CHECK(ones.reference == 5);  // 7 7 8 8 5
  CHECK(ones.matches == 3);    // 7 7 8
}

TEST_CASE("A line shorter than the order has no n-grams", "[evaluate][ngrams]") {
  const auto counts = count_ngrams({1, 2}, {{1, 2, 3}}, 3);
  CHECK(counts.hypothesis == 0);
  CHECK(counts.reference == 1);
  CHECK(counts.matches == 0);
}

TEST_CASE("Equal words on both sides get equal numbers", "[evaluate][ngrams]") {
  const std::vector<std::string> hypothesis = {"a", "b", "a"};
  const std::vector<std::string> reference = {"c", "b"};
  const auto words = number_words({hypothesis, reference});
  CHECK(words[0][0] == words[0][2]);
  CHECK(words[0][1] == words[1][1]);
  CHECK(words[1][0] != words[0][0]);
  CHECK(words[1][0] != words[0][1]);
}

}  // namespace nmt
