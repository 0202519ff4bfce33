#include "compare/comparison_page.h"

#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

std::string page_of(const ComparedTexts& texts) {
  const ComparisonOptions options;
  const TemporaryFolder folder;
  auto comparison = compare(texts.a, texts.b, texts.references, options);
  comparison.by_length = compare_by_length(texts);
  const auto page = comparison_page({{texts, comparison}}, options);
  folder.write("page.html", page);
  CHECK(problems_of_page(folder / "page.html").empty());
  return page;
}

}  // namespace

TEST_CASE("A page of a comparison has scores, verdicts and marked sentences",
          "[evaluate][comparison]") {
  ComparedTexts texts{"one <1>", "two", {}, {}, {}, {}};
  for (int i = 0; i < 20; ++i) {
    texts.references.push_back("the cat is on mat " + std::to_string(i));
    texts.a.push_back("a dog ran over mat " + std::to_string(i));
    texts.b.push_back(texts.references.back());
  }
  const auto page = page_of(texts);
  CHECK(contains(page, "one &lt;1&gt;"));
  CHECK(contains(page, "B is better"));
  CHECK(contains(page, "20 lines; paired bootstrap with 1000 samples, seed 12345."));
  CHECK(contains(page, "Few lines: the differences are rough."));
  CHECK_FALSE(contains(page, "A is better"));
  CHECK_FALSE(contains(page, "Where A is most ahead"));
  CHECK(contains(page, "<dd><mark>a dog ran over</mark> mat 0</dd>"));
  CHECK(contains(page, "<dd><mark>the cat is on</mark> mat 0</dd>"));  // the reference
  CHECK(contains(page, "B · chrF2 100.0"));
  CHECK(contains(page, "BLEU by words of the reference"));
  CHECK(contains(page, "<th scope=\"row\">6–10</th><td>20</td>"));
  CHECK_FALSE(contains(page, ">source<"));
}

TEST_CASE("A page of equal translations has no sentences to show", "[evaluate][comparison]") {
  const std::vector<std::string> lines = {"the cat is on the mat", "hello"};
  const auto page = page_of({"one", "two", {"s1", "s2"}, lines, lines, lines});
  CHECK(contains(page, "no significant difference"));
  CHECK_FALSE(contains(page, "most ahead"));
  CHECK_FALSE(contains(page, "nan"));
}

TEST_CASE("A page of several comparisons begins with all systems", "[evaluate][comparison]") {
  const std::vector<std::string> lines = {"the cat is on the mat", "hello"};
  const ComparedTexts two{"one", "<two>", {}, lines, lines, lines};
  const ComparedTexts three{"one", "three", {}, lines, lines, lines};
  const ComparisonOptions options;
  const auto comparison = compare(lines, lines, lines, options);
  const TemporaryFolder folder;
  const auto page = comparison_page({{two, comparison}, {three, comparison}}, options);
  folder.write("page.html", page);
  CHECK(problems_of_page(folder / "page.html").empty());
  CHECK(contains(page, "All systems"));
  CHECK(contains(page, "<th scope=\"row\">&lt;two&gt;</th><td>100.00</td>"));
  CHECK(contains(page, "<th scope=\"row\">three</th><td>100.00</td>"));
}

}  // namespace nmt
