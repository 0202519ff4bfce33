#include "explain/explanation_page.h"

#include "explain/attention_walk.h"
#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("Every kind has a page and a picture that need nothing else", "[explain]") {
  const TemporaryFolder folder;
  const auto input = sentence_input("나는 <script>alert(1)</script> \"&amp;\" \xFF 책을");
  for (const auto* kind : attention_kinds()) {
    const auto walk = walk_attention(*kind, input);
    const auto page = explanation_page(walk, Language::kEnglish);
    CHECK_FALSE(contains(page, "<script>alert"));
    CHECK(contains(page, "&lt;script&gt;"));
    CHECK(contains(page, "class=\"flow\""));
    CHECK(problems_of_page(folder.write(kind->name + std::string(".html"), page)).empty());
    const auto picture = explanation_picture(walk, Language::kKorean);
    CHECK(contains(picture, "낱말"));
    CHECK(problems_of_page(folder.write(kind->name + std::string(".svg"), picture)).empty());
  }
}

TEST_CASE("A page begins in the language asked for and has the other too", "[explain]") {
  const auto walk = walk_attention(scaled_dot_attention(), example_input());
  const auto korean = explanation_page(walk, Language::kKorean);
  CHECK(contains(korean, "id=\"ko\" checked"));
  CHECK(contains(korean, "Softmax: weights that sum to 1"));
  CHECK(contains(korean, "소프트맥스: 합이 1인 몫으로"));
  CHECK(contains(explanation_page(walk, Language::kEnglish), "id=\"en\" checked"));
}

TEST_CASE("An equation stays in order, left to right, after a Hebrew word", "[explain]") {
  const auto walk = walk_attention(dot_attention(), sentence_input("שלום ספר"));
  CHECK(contains(explanation_page(walk, Language::kEnglish), "(ספר\u200E, \u200E"));
}

TEST_CASE("Weights are shaded by their share", "[explain]") {
  const auto page =
      explanation_page(walk_attention(none_attention(), example_input()), Language::kEnglish);
  CHECK(contains(page, "<td style=\"--w:0.000\">0</td><td style=\"--w:1.000\">1</td>"));
  CHECK(contains(page, "fill-opacity=\"0.65\""));
}

TEST_CASE("A word that is chosen is followed through the page", "[explain]") {
  const TemporaryFolder folder;
  const auto path = folder.write(
      "page.html",
      explanation_page(walk_attention(dot_attention(), example_input()), Language::kEnglish) +
          "<script>document.getElementById('word1').click()"
          "</script>");
  const auto shown = page_in_browser(path, "");
  CHECK(contains(shown, "<tr data-row=\"1\" class=\"lit\">"));
  CHECK_FALSE(contains(shown, "<tr data-row=\"0\" class=\"lit\">"));
}

}  // namespace nmt
