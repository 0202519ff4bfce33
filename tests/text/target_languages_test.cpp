#include "text/target_languages.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.h"
#include "support/expect_error.h"
#include "text/sample_text.h"

namespace nmt {
namespace {

using Codes = std::vector<std::string>;

Tokenizer sample_with(const Codes& codes, const std::string& type = "bpe") {
  return with_languages(Tokenizer::from_bytes(train_sample(type, 97), "sample"), codes, "sample");
}

}  // namespace

TEST_CASE("Languages are pieces that no text is encoded to", "[text]") {
  for (const std::string type : {"bpe", "unigram"}) {
    const auto plain = Tokenizer::from_bytes(train_sample(type, 97), "sample");
    const auto tokenizer = sample_with({"de", "zh-TW", "de"}, type);
    REQUIRE(TargetLanguages(plain).empty());
    REQUIRE(TargetLanguages(tokenizer).codes() == Codes{"de", "zh-TW"});
    // The other pieces keep their ids, and text its tokens.
    REQUIRE(tokenizer.vocabulary_size() == plain.vocabulary_size() + 2);
    const int32_t german = plain.vocabulary_size();
    for (const std::string text : {"the green garden.", "<2de>", "<2de> river", "a <2zh-TW> b"}) {
      const auto ids = tokenizer.encode(text);
      REQUIRE(ids == plain.encode(text));
      REQUIRE(*std::max_element(ids.begin(), ids.end()) < german);
      REQUIRE(tokenizer.sample(text, 0.1, 3) == plain.sample(text, 0.1, 3));
    }
    REQUIRE(tokenizer.piece(german) == "<2de>");
    REQUIRE(tokenizer.decode({german}).empty());
    REQUIRE(sample_with({"fr", "de"}, type).bytes() ==
            with_languages(sample_with({"fr"}, type), {"de", "fr"}, "more").bytes());
  }
}

TEST_CASE("A line is in the given language, or in the one that it names", "[text]") {
  const auto tokenizer = sample_with({"de", "fr"});
  const TargetLanguages languages(tokenizer);
  const auto text = tokenizer.encode("the river");
  const auto with = [&](const std::string& code) {
    auto tokens = text;
    tokens.insert(tokens.begin(), tokenizer.vocabulary_size() - (code == "de" ? 2 : 1));
    return tokens;
  };
  REQUIRE(languages.encode("<2fr> the river", tokenizer) == with("fr"));
  REQUIRE(languages.encode("<2de> the river", tokenizer) == with("de"));
  REQUIRE(languages.in_front_of(with("de")));
  REQUIRE_FALSE(languages.in_front_of(text));
  REQUIRE_FALSE(languages.in_front_of({}));
  const auto read = languages.read("the river", "fr");
  REQUIRE(read.tokens(text) == with("fr"));
  // A given language leaves the line as it is.
  REQUIRE(languages.read("<2de> the river", "fr").text == "<2de> the river");
  for (const auto* blank : {"<2de>  ", "<2de> ", "<2de>"}) {
    REQUIRE(languages.encode(blank, tokenizer).empty());
  }
  REQUIRE(languages.encode(" ", tokenizer).empty());
  // A vocabulary without languages reads everything as text.
  REQUIRE(TargetLanguages().read("<2de> the river").text == "<2de> the river");
}

TEST_CASE("A line that names no language is found by file and line", "[text]") {
  const TargetLanguages languages(sample_with({"de", "fr"}));
  REQUIRE_NOTHROW(languages.require_lines({"<2de> x", "", "<2fr> x"}, "file"));
  REQUIRE_NOTHROW(TargetLanguages().require_lines({"x"}, "file"));
  const auto refuse = [&](const Codes& lines, size_t first_line) {
    languages.require_lines(lines, "file", "--reverse-to", first_line);
  };
  // Wrong usage only where none names one.
  REQUIRE_THROWS_AS(refuse({"", "x"}, 1), UsageError);
  REQUIRE(
      contains(error_of([&] {
                 refuse({"", "x"}, 1);
               }),
               "file: line 2: target language: not given; use one of de, fr, at the beginning"));
  const auto unnamed = error_of([&] { languages.require_lines({"x"}, "", ""); });
  REQUIRE(unnamed ==
          "line 1: target language: not given; use one of de, fr, at the beginning of each line "
          "(<2de> and a space)");
  const std::vector<std::pair<Codes, size_t>> later = {{{"<2de> x", "<2fr>x"}, 1}, {{"x"}, 2}};
  for (const auto& [lines, first_line] : later) {
    try {
      refuse(lines, first_line);
      FAIL("is refused");
    } catch (const Error& error) {
      REQUIRE(dynamic_cast<const UsageError*>(&error) == nullptr);
      REQUIRE(contains(error.what(), "file: line 2: target language: not given;"));
      REQUIRE(contains(error.what(), "(<2de> and a space) or with --reverse-to"));
    }
  }
}

TEST_CASE("Errors list the languages", "[text]") {
  const TargetLanguages languages(sample_with({"de", "fr"}));
  for (const std::string line : {"the river", " <2de> x", "<2> x", "<2d e> x", "<2de>x"}) {
    REQUIRE(contains(error_of([&] { languages.read(line); }),
                     "target language: not given; use one of de, fr, at the beginning of each line "
                     "(<2de> and a space) or with --to where the command has it"));
  }
  for (const auto& said :
       {error_of([&] { languages.read("<2it> x"); }), error_of([&] { languages.read("x", "it"); }),
        error_of([&] { languages.require("it"); })}) {
    REQUIRE(said == "target language 'it': unknown to the model; use one of de, fr");
  }
  REQUIRE(contains(error_of([] { TargetLanguages().require("de"); }), "one language only"));
  for (const auto& code : Codes{"", "d e", "<2de>", "日本", std::string(33, 'a')}) {
    REQUIRE(contains(error_of([&] { require_language_name(code); }), "is not a language code"));
  }
  REQUIRE_NOTHROW(require_language_name("zh-TW"));
}

}  // namespace nmt
