#include "translate/assembly.h"

#include "support/catch.h"

namespace nmt {
namespace {

Tokenizer english() {
  return Tokenizer::from_file(std::string(NMT_SOURCE_DIR) + "/models/sample/target.spm");
}

/// A line in parts of one word each, or in one part.
SourceLine line_of(const std::string& text, const Tokenizer& tokenizer, bool in_parts = false) {
  SourceLine line;
  line.tokens = tokenizer.encode(text);
  line.words = words_of_text(text, line.tokens, tokenizer);
  line.parts.assign(in_parts ? line.words.texts.size() : 1, {});
  for (size_t t = 0; t < line.tokens.size(); ++t) {
    line.parts[in_parts ? line.words.of_token[t] : 0].push_back(line.tokens[t]);
  }
  line.limits.assign(line.parts.size(), 100);
  return line;
}

/// Each token with log-probability −1, all attention on the source token that `looks_at` says.
Hypothesis hypothesis_of(const std::vector<int32_t>& tokens, size_t source_length,
                         const std::vector<size_t>& looks_at) {
  Hypothesis hypothesis;
  hypothesis.tokens = tokens;
  hypothesis.token_log_probabilities.assign(tokens.size() + 1, -1.0F);
  hypothesis.log_probability = -static_cast<double>(tokens.size() + 1);
  hypothesis.attention.assign(tokens.size() + 1, std::vector<float>(source_length, 0.0F));
  for (size_t t = 0; t <= tokens.size(); ++t) hypothesis.attention[t][looks_at[t]] = 1.0F;
  return hypothesis;
}

}  // namespace

TEST_CASE("An unknown piece becomes the source word with most attention", "[translate]") {
  const auto tokenizer = english();
  const auto line = line_of("☃ I", tokenizer);
  const auto last = line.tokens.size() - 1;
  std::vector<int32_t> tokens = tokenizer.encode("I");
  REQUIRE(tokens.size() == 1);
  tokens.push_back(line.tokens[0]);  // U+2581 alone
  tokens.push_back(kUnknownId);
  const std::vector<std::vector<Hypothesis>> found = {
      {hypothesis_of(tokens, line.tokens.size(), {last, 0, 1, last})}};
  TranslationOptions options;
  REQUIRE(assemble(line, found.data(), tokenizer, tokenizer, options).text != "I ☃");
  options.copy_unknown = true;
  REQUIRE(assemble(line, found.data(), tokenizer, tokenizer, options).text == "I ☃");
  options.words = true;
  const auto best = assemble(line, found.data(), tokenizer, tokenizer, options).candidates.front();
  REQUIRE(best.words == std::vector<std::string>{"I", "☃"});
  REQUIRE(best.word_log_probabilities == std::vector<double>{-1.0, -2.0, -1.0});
  REQUIRE(best.alignment[0].source == 1);
  REQUIRE(best.alignment[1].source == 0);
  REQUIRE(best.warnings.empty());
}

TEST_CASE("Words of a line in parts are aligned with the whole line's", "[translate]") {
  const auto tokenizer = english();
  const auto line = line_of("books dog books", tokenizer, true);
  const auto dog = tokenizer.encode("dog");
  std::vector<std::vector<Hypothesis>> found;
  for (const auto& part : line.parts) {
    found.push_back({hypothesis_of(dog, part.size(), std::vector<size_t>(dog.size() + 1, 0))});
  }
  TranslationOptions options;
  options.words = true;
  options.attention = true;
  const auto translation = assemble(line, found.data(), tokenizer, tokenizer, options);
  const auto& best = translation.candidates.front();
  REQUIRE(translation.source_words == std::vector<std::string>{"books", "dog", "books"});
  REQUIRE(best.text == "dog dog dog");
  REQUIRE(best.words.size() == 3);
  REQUIRE(best.word_log_probabilities.size() == 4);
  REQUIRE(best.word_log_probabilities.back() == -3.0);
  for (size_t i = 0; i < 3; ++i) {
    REQUIRE(best.alignment[i].source == static_cast<int64_t>(i));
    REQUIRE(best.word_attention[i][i] == Approx(1.0));
  }
  REQUIRE(best.attention.empty());
}

}  // namespace nmt
