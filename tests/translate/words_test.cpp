#include "translate/words.h"

#include <algorithm>

#include "support/catch.h"
#include "support/sample.h"
#include "text/special_tokens.h"
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

TEST_CASE("Words attend to words, not to the marks at their ends", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const auto tokens = tokenizer.encode("I read, .");
  const auto words = merge_pieces(tokens, tokenizer);
  REQUIRE(words.texts == std::vector<std::string>{"I", "read,", "."});
  const size_t comma = static_cast<size_t>(
      std::find(words.is_mark.begin(), words.is_mark.end(), true) - words.is_mark.begin());
  CHECK(std::count(words.is_mark.begin(), words.is_mark.end(), true) == 1);
  CHECK(tokenizer.piece(tokens[comma]) == ",");
  // The first token attends to the comma most; the second half of "read," is the comma's own.
  Words source{{"a", "b."}, {0, 1, 1}, {false, false, true}};
  Words target{{"A", "B."}, {0, 1, 1}, {false, false, true}};
  CHECK(word_attention({{{0.3F, 0.1F, 0.6F}, {0, 1, 0}, {1, 0, 0}}, source, 0, 3}, target) ==
        Rows{{0.75F, 0.25F}, {0, 1}});
  // A row without attention to words stays 0.
  CHECK(word_attention({{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, source, 0, 3}, target) ==
        Rows{{0, 0}, {0, 0}});
}

TEST_CASE("Marks of spaces alone are no words", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const int32_t mark = tokenizer.encode("\u2603").front();
  REQUIRE(tokenizer.piece(mark) == kSpaceMark);
  std::vector<int32_t> tokens = {mark};
  const auto append = [&](const std::string& text) {
    for (const int32_t token : tokenizer.encode(text)) tokens.push_back(token);
    return tokens.size();
  };
  const size_t second = append("I");
  tokens.insert(tokens.end(), {mark, mark});
  append("read");
  tokens.push_back(mark);
  const auto words = merge_pieces(tokens, tokenizer);
  REQUIRE(words.texts == std::vector<std::string>{"I", "read"});
  REQUIRE(words.of_token.size() == tokens.size());
  for (size_t t = 0; t < tokens.size(); ++t) REQUIRE(words.of_token[t] == (t < second ? 0 : 1));
}

TEST_CASE("Subwords of a vocabulary of words are merged at their own marks", "[translate]") {
  const auto tokenizer = Tokenizer::from_bytes(
      word_vocabulary({"the", "ca@@", "ts", "sleep"}, SpaceMarks::kContinued, "test"), "test");
  const auto words = merge_pieces({4, 5, 6, 7}, tokenizer);
  REQUIRE(words.texts == std::vector<std::string>{"the", "cats", "sleep"});
  REQUIRE(words.of_token == std::vector<size_t>{0, 1, 1, 2});
}

TEST_CASE("Words of a text of tokens are its tokens", "[translate]") {
  const auto tokenizer = Tokenizer::from_bytes(
      word_vocabulary({"the", "ca@@", "ts", "sleep"}, SpaceMarks::kContinued, "test"), "test");
  const auto words = [&](const std::string& text) {
    return words_of_text(text, tokenizer.encode(text), tokenizer);
  };
  CHECK(words("the ca@@ ts  sleep").texts ==
        std::vector<std::string>{"the", "ca@@", "ts", "sleep"});
  CHECK(words("the ca@@ ts  sleep").of_token == std::vector<size_t>{0, 1, 2, 3});
  // Adjacent unknown words are one token.
  CHECK(words("the wal@@ rus ca@@ ts").texts.size() == 5);
  CHECK(words("the wal@@ rus ca@@ ts").of_token == std::vector<size_t>{0, 1, 3, 4});
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
  const auto words = word_attention({pieces, source, 1, 3}, target);
  REQUIRE(words == Rows{{0.75F, 0.25F}, {0.375F, 0.625F}});
  const auto links = strongest_links(words);
  REQUIRE(links.size() == 2);
  REQUIRE((links[0].source == 0 && links[0].target == 0));
  REQUIRE((links[1].source == 1 && links[1].target == 1));
}

}  // namespace nmt
