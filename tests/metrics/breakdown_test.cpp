#include "metrics/breakdown.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("Sentences are grouped by the words of their sources", "[report]") {
  const std::vector<TranslatedSentence> sentences = {
      {1, "a b c d e", "the same", "the same", 100},
      {2, "a b c d e f", "one two", "one two three four", 50},
      {3, "a", "so it is", "so it is", 100}};
  const auto groups = by_length(sentences);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].shortest == 1);
  CHECK(groups[0].longest == 5);
  CHECK(groups[0].sentences == 2);
  CHECK(groups[0].chrf == Approx(100));
  CHECK(groups[1].shortest == 6);
  CHECK(groups[1].longest == 10);
  CHECK(groups[1].length_ratio == Approx(0.5));
}

TEST_CASE("Words of the references are found by how often training had them", "[report]") {
  const std::vector<TranslatedSentence> sentences = {{1, "", "the cat the", "the the dog.", 0},
                                                     {2, "", "a zebra .", "a zebra .", 0}};
  auto counts = words_of_references(sentences);
  for (int i = 0; i < 12; ++i) count_words("the dog, the mouse.", counts);
  count_words("a lion", counts);
  CHECK(counts.count("lion") == 0);
  CHECK(counts.at("the") == 24);
  const auto groups = by_frequency(sentences, counts);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].rarest == 0);  // zebra
  CHECK(groups[0].words == 1);
  CHECK(groups[0].found == 1);
  CHECK(groups[1].commonest == 9);  // a
  CHECK(groups[1].words == 1);
  CHECK(groups[2].rarest == 10);  // the the dog . .
  CHECK(groups[2].words == 5);
  CHECK(groups[2].found == 3);
}

}  // namespace nmt
