#include <sstream>

#include "explain/walks.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

std::string long_sentence() {
  std::string sentence;
  for (int i = 0; i < 16; ++i) sentence += "나는 긴<b>낱말을읽는다한없이길게 ";
  return sentence;
}

}  // namespace

TEST_CASE("The text shows the numbers in line, Hangul taking two columns", "[explain]") {
  const auto text = explanation_text(walk_attention(dot_attention(), sentence_input("나는 책")),
                                     Language::kKorean, false);
  CHECK(contains(text, "  나는  0  0  2  0\n  책    "));
  CHECK(contains(text, "점수: 키마다"));
  CHECK_FALSE(contains(text, "Scores"));
}

TEST_CASE("The example shows both scalings", "[explain]") {
  const auto text = explanation_text(walk_attention(scaled_dot_attention(), example_input()),
                                     Language::kEnglish, false);
  CHECK(contains(text, "S(x3, x2) = 2·4 + 1·4 + 3·0 = 12"));
  CHECK(contains(text, "x1  1.86  6.32  1.70"));
  CHECK(contains(text, "x1  1.94  6.68  1.60"));
}

TEST_CASE("No line is wider than a terminal, whatever the sentence", "[explain]") {
  for (const auto* kind : attention_kinds()) {
    for (const auto language : {Language::kEnglish, Language::kKorean}) {
      const auto text =
          explanation_text(walk_attention(*kind, sentence_input(long_sentence())), language, false);
      CHECK_FALSE(contains(text, "\x1b"));
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        INFO(kind->name << ": " << line);
        CHECK(display_width(line) <= 80);
      }
    }
  }
}

TEST_CASE("Titles stand out only where escape sequences are understood", "[explain]") {
  const auto walk = walk_attention(none_attention(), example_input());
  CHECK(
      contains(explanation_text(walk, Language::kEnglish, true), "\x1b[1m2. No attention\x1b[0m"));
  CHECK_FALSE(contains(explanation_text(walk, Language::kEnglish, false), "\x1b"));
}

}  // namespace nmt
