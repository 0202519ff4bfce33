#include "attention_views/attention_grid.h"

#include <algorithm>

#include "attention_views/one_by_two.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "terminal/screen.h"

namespace nmt {

TEST_CASE("A matrix of attention is a column for each source word", "[attention]") {
  REQUIRE(attention_grid(one_by_two(0.87F), {80, false}) ==
          "Translation ↓ Source →\n"
          "  저는 도서관에서\n"
          "I █ 87 ░░░░░░░ 13\n");
}

TEST_CASE("The title of the columns begins where they do, if there is room", "[attention]") {
  auto translation = one_by_two(0.87F);
  translation.candidates.front().words = {"straightforward"};
  REQUIRE(attention_grid(translation, {80, false}) ==
          "Translation ↓   Source →\n"
          "                저는 도서관에서\n"
          "straightforward █ 87 ░░░░░░░ 13\n");
  REQUIRE(contains(attention_grid(translation, {10, false}), "Translati…\n"));
}

TEST_CASE("Words written from right to left keep to their column", "[attention]") {
  auto translation = one_by_two(0.87F);
  translation.source_words[1] = "سلام";
  translation.candidates.front().words = {"שלום"};
  REQUIRE(attention_grid(translation, {80, false}) ==
          "Translation ↓ Source →\n"
          "     저는 \u200Eسلام\u200E\n"
          "\u200Eשלום\u200E █ 87 ░ 13\n");
}

TEST_CASE("A matrix that lacks rows is not drawn", "[attention]") {
  auto translation = one_by_two(0.87F);
  translation.candidates.front().words = {"I", "😀"};  // by a model without attention
  REQUIRE(attention_grid(translation, {80, false}) == "(no attention to show)\n");
}

TEST_CASE("Weights have colors where the terminal has them", "[attention]") {
  const auto drawn = attention_grid(one_by_two(1.0F), {80, true});
  REQUIRE(contains(drawn, "\x1b[48;5;51;38;5;16m 100\x1b[0m"));
  REQUIRE(contains(drawn, "         ·\n"));
  REQUIRE_FALSE(contains(attention_grid(one_by_two(1.0F), {80, false}), "\x1b"));
}

TEST_CASE("A matrix wider than the terminal is split into several", "[attention]") {
  Translation translation = one_by_two(0.5F);
  translation.source_words.assign(40, "낱말");
  auto& candidate = translation.candidates.front();
  candidate.words = {"word", "Donaudampfschifffahrtsgesellschaft"};
  candidate.word_attention.assign(2, std::vector<float>(40, 0.025F));
  candidate.word_attention[0][39] = 0.99F;
  for (const size_t columns : {80, 30, 5}) {
    const auto drawn = attention_grid(translation, {columns, false});
    size_t labels = 0;
    for (size_t at = 0; (at = drawn.find("낱말", at)) != std::string::npos; ++at) ++labels;
    REQUIRE(labels == 40);
    Screen screen(std::max<size_t>(columns, 30), 400);
    REQUIRE_NOTHROW(screen.write(drawn));  // no row is too long
    REQUIRE(contains(drawn, "99"));
  }
}

}  // namespace nmt
