#include "text/vocabulary_growth.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/sample.h"
#include "text/sample_text.h"
#include "text/word_vocabulary.h"

namespace nmt {
namespace {

using Ids = std::vector<int32_t>;

}  // namespace

TEST_CASE("Frequent pairs of pieces and unknown characters become pieces", "[text]") {
  // ▁3 4, ▁1 5, ▁5 6, ▁ 7, 3 8, 1 9, 5 10, 2 11, 6 12, 4 13
  const auto small = Tokenizer::from_file(NMT_SOURCE_DIR "/tests/models/version-2/source.spm");
  const std::vector<std::string> texts = {"12 12 5", "12 7 64", "7 46"};
  REQUIRE(small.encode("12 7") == Ids{5, 11, 7, kUnknownId});
  const auto grown = grow_vocabulary(small, texts, 10);
  REQUIRE(grown.spelled == std::vector<Ids>{{5, 11}, {kUnknownId}, {7, kUnknownId}});
  REQUIRE(grown.tokenizer.vocabulary_size() == 17);
  for (int32_t id = 0; id < 14; ++id) REQUIRE(grown.tokenizer.piece(id) == small.piece(id));
  REQUIRE(grown.tokenizer.piece(14) == "▁12");
  REQUIRE(grown.tokenizer.piece(15) == "7");
  REQUIRE(grown.tokenizer.piece(16) == "▁7");
  REQUIRE(grown.tokenizer.encode("12 7 312 64") == Ids{14, 16, 4, 9, 11, 7, 12, 13});
  REQUIRE(grow_vocabulary(small, texts, 1).spelled == std::vector<Ids>{{5, 11}});
  REQUIRE(grow_vocabulary(small, {"64"}, 10).spelled.empty());
  REQUIRE(grow_vocabulary(small, {"64 8"}, 10).spelled == std::vector<Ids>{{kUnknownId}});
}

TEST_CASE("A new piece is a word without its punctuation", "[text]") {
  const auto english = sample_tokenizers().target;
  const std::vector<std::string> texts = {"A man holds a twelvespeed.", "I carry a twelvespeed."};
  const auto grown = grow_vocabulary(english, texts, 100).tokenizer;
  const auto tokens = grown.encode("twelvespeed.");
  REQUIRE(tokens.size() == 2);
  CHECK(grown.piece(tokens[0]) == "▁twelvespeed");
  CHECK(grown.piece(tokens[1]) == ".");
}

TEST_CASE("A word of pieces becomes one piece that they spelled", "[text]") {
  const std::string word = "gardenwalks";
  for (const std::string type : {"bpe", "unigram"}) {
    const auto tokenizer = Tokenizer::from_bytes(train_sample(type, 97), "sample");
    const auto before = tokenizer.encode(word);
    REQUIRE(before.size() > 1);
    const auto grown = grow_vocabulary(tokenizer, {word + " " + word}, 100);
    REQUIRE(grown.spelled.back() == before);
    REQUIRE(grown.tokenizer.encode(word) == Ids{grown.tokenizer.vocabulary_size() - 1});
    for (const auto& sentence : sample_sentences(50, 3)) {
      REQUIRE(grown.tokenizer.decode(grown.tokenizer.encode(sentence)) == sentence);
    }
  }
}

TEST_CASE("A vocabulary that reads lower case grows by lower-case pieces", "[text]") {
  const auto lower = Tokenizer::from_bytes(train_sample("bpe", 97), "lower").in_known_case();
  const auto grown = grow_vocabulary(lower, {"Gardenwalks", "GARDENWALKS"}, 30);
  REQUIRE(grown.tokenizer.encode("GardenWalks").size() == 1);
  REQUIRE(grown.tokenizer.piece(grown.tokenizer.encode("GardenWalks")[0]) == "▁gardenwalks");
}

TEST_CASE("A vocabulary of words cannot grow", "[text]") {
  const auto words =
      Tokenizer::from_bytes(word_vocabulary({"a", "b"}, SpaceMarks::kNone, "w"), "w");
  REQUIRE(contains(error_of([&] { grow_vocabulary(words, {"c c"}, 1); }),
                   "a vocabulary of type word cannot get any"));
}

}  // namespace nmt
