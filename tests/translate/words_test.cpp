#include "translate/words.h"

#include "support/catch.h"
#include "support/sample.h"
#include "text/word_vocabulary.h"

namespace nmt {
namespace {

using Rows = std::vector<std::vector<float>>;

}  // namespace

TEST_CASE("Pieces are merged to words at the marks of their beginnings", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const auto tokens = tokenizer.encode("I read unreadable books.");
  const auto words = merge_pieces(tokens, tokenizer);
  REQUIRE(words.texts == std::vector<std::string>{"I", "read", "unreadable", "books."});
  REQUIRE(words.of_token.size() == tokens.size());
  REQUIRE(tokens.size() > 4);
  REQUIRE(words.of_token.front() == 0);
  REQUIRE(words.of_token.back() == 3);
  REQUIRE(merge_pieces({}, tokenizer).texts.empty());
}

TEST_CASE("Subwords of a vocabulary of words are merged at their own marks", "[translate]") {
  const auto tokenizer = Tokenizer::from_bytes(
      word_vocabulary({"the", "ca@@", "ts", "sleep"}, SpaceMarks::kContinued, "test"), "test");
  const auto words = merge_pieces({4, 5, 6, 7}, tokenizer);
  REQUIRE(words.texts == std::vector<std::string>{"the", "cats", "sleep"});
  REQUIRE(words.of_token == std::vector<size_t>{0, 1, 1, 2});
}

TEST_CASE("Words of a text stand as they were written", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  for (const std::string text : {"Ｉ saw ☃☃ today", "  Ｉ \t saw  ☃☃ today "}) {
    const auto words = words_of_text(text, tokenizer.encode(text), tokenizer);
    REQUIRE(words.texts == std::vector<std::string>{"Ｉ", "saw", "☃☃", "today"});
  }
}

TEST_CASE("A word that normalization divides is still one word", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const std::string text = "I saw\u00a0it today";
  const auto tokens = tokenizer.encode(text);
  REQUIRE(merge_pieces(tokens, tokenizer).texts.size() == 4);
  const auto words = words_of_text(text, tokens, tokenizer);
  REQUIRE(words.texts == std::vector<std::string>{"I", "saw\u00a0it", "today"});
  REQUIRE(words.of_token.size() == tokens.size());
  REQUIRE(words.of_token.front() == 0);
  REQUIRE(words.of_token.back() == 2);
}

TEST_CASE("Attention of words sums over source pieces and averages over target pieces",
          "[translate]") {
  // Source words of 2 and 1 pieces behind one of another part; target words of 1 and 2.
  const Words source{{"x", "ab", "c"}, {0, 1, 1, 2}};
  const Words target{{"d", "ef"}, {0, 1, 1}};
  const Rows pieces = {{0.5F, 0.25F, 0.25F}, {0.0F, 0.5F, 0.5F}, {0.25F, 0.0F, 0.75F}};
  const auto words = word_attention(pieces, source, 1, 3, target);
  REQUIRE(words == Rows{{0.75F, 0.25F}, {0.375F, 0.625F}});
  const auto links = strongest_links(words);
  REQUIRE(links.size() == 2);
  REQUIRE((links[0].source == 0 && links[0].target == 0));
  REQUIRE((links[1].source == 1 && links[1].target == 1));
}

}  // namespace nmt
