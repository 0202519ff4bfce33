#include "attention_views/attention_matrix.h"

#include "attention_views/some_translation.h"
#include "support/catch.h"

namespace nmt {

TEST_CASE("A matrix is of words where there are words", "[report][attention]") {
  const auto matrix = attention_matrix(some_translation());
  CHECK(matrix.source == std::vector<std::string>{"xy", "z"});
  CHECK(matrix.target == std::vector<std::string>{"a", "b"});
  CHECK(matrix.weights == std::vector<std::vector<float>>{{0.3F, 0.7F}, {1.0F, 0.0F}});
}

TEST_CASE("A matrix is of tokens where a language is written without spaces",
          "[report][attention]") {
  auto translation = some_translation();
  translation.source_words = {"xyz"};
  translation.source_tokens.assign(7, "字");
  for (auto& row : translation.candidates[0].attention) row.assign(7, 1.0F / 7);
  const auto matrix = attention_matrix(translation);
  CHECK(matrix.source.size() == 7);
  CHECK(matrix.target == std::vector<std::string>{"▁a", "▁b"});
  REQUIRE(matrix.weights.size() == 2);  // the end is no word
  CHECK(matrix.weights[0].size() == 7);
}

TEST_CASE("A line translated in parts has a matrix of its words", "[report][attention]") {
  auto translation = some_translation();
  translation.candidates[0].attention.clear();
  CHECK(attention_matrix(translation).weights.size() == 2);
}

TEST_CASE("What nobody could see is not drawn", "[report][attention]") {
  auto translation = some_translation();
  translation.source_words.assign(200000, "word");
  translation.candidates[0].attention.clear();
  CHECK(attention_matrix(translation).weights.empty());
  translation = some_translation();
  translation.source_words = {"xyz"};
  translation.source_tokens.assign(200000, "字");
  for (auto& row : translation.candidates[0].attention) row.assign(200000, 0.0F);
  CHECK(attention_matrix(translation).weights.empty());
}

}  // namespace nmt
