#include "explain/walks.h"
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
    CHECK_FALSE(contains(page, "aria-label=\"\""));
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

TEST_CASE("A wide matrix is split into tables that fit a sheet", "[explain]") {
  std::string sentence;
  for (int i = 0; i < 32; ++i) sentence += "word" + std::to_string(i) + " ";
  const auto page = explanation_page(walk_attention(dot_attention(), sentence_input(sentence)),
                                     Language::kEnglish);
  size_t split = 0;
  for (size_t at = 0; (at = page.find("<thead>", at)) != std::string::npos; ++at) {
    const auto head = page.substr(at, page.find("</thead>", at) - at);
    size_t columns = 0;
    for (size_t i = 0; (i = head.find("scope=\"col\"", i)) != std::string::npos; ++i) ++columns;
    CHECK(columns <= 16);
    if (contains(head, ">word31<")) ++split;
  }
  CHECK(split == 4);  // Kᵀ, S and twice A
  const std::string weights = "<table class=\"weights\">";
  size_t tables = 0;
  for (size_t at = 0; (at = page.find(weights, at)) != std::string::npos; ++at) {
    const auto table = page.substr(at, page.find("</table>", at) - at);
    CHECK(contains(table, "<th scope=\"row\">word7</th>"));
    ++tables;
  }
  CHECK(tables >= 6);
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
