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
  auto counts = words_of_references(references_of(sentences));
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

TEST_CASE("Characters of scripts without spaces are words", "[report]") {
  const std::vector<TranslatedSentence> sentences = {
      {1, "a b", "你好，世界！", "你好，世界！", 100}, {2, "a", "他有书", "他有三书", 50}};
  const auto lengths = by_length(sentences);
  REQUIRE(lengths.size() == 1);
  CHECK(lengths[0].bleu > 50);
  CHECK(lengths[0].length_ratio == Approx(0.9));
  CHECK(length_in_words("a b 你好，世界！ c") == 9);
  CHECK(length_in_words("aที่นี่มีน้ำดื่มที่ดีb") == 11);  // 9 letters with their marks
  const auto sources =
      by_length({{1, "你好，世界！", "a", "a", 100}, {2, "他有书", "a", "a", 100}});
  REQUIRE(sources.size() == 2);
  CHECK(sources[1].shortest == 6);
  auto counts = words_of_references(references_of(sentences));
  count_words("他有三三", counts);
  CHECK(counts.at("三") == 2);
  CHECK(counts.at("书") == 0);
  const auto groups = by_frequency(sentences, counts);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].words == 7);  // unseen: 你好，世界！书
  CHECK(groups[0].found == 7);
  CHECK(groups[1].words == 3);
  CHECK(groups[1].found == 2);
}

}  // namespace nmt
