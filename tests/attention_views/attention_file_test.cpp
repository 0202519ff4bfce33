#include "attention_views/attention_file.h"

#include <nlohmann/json.hpp>

#include "attention_views/some_translation.h"
#include "errors/error.h"
#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

const std::string kNasty = "</script><b>\"x\" & 'y' \x01 \xEF\xBF\xBE \xFF ]]> 가";

void write_pictures(const std::filesystem::path& path) {
  AttentionFile file(path);
  file.add(1, "xy z", some_translation());
  auto nasty = some_translation(kNasty);
  nasty.source_words = {"</script>", "\x02 \xFF"};
  nasty.candidates[0].words = {"<", "&"};
  file.add(2, kNasty, nasty);
  auto empty = Translation{"", {}, {{}}, {}};
  file.add(3, "", empty);
  file.finish();
}

/// The list that the page's script draws from.
nlohmann::json data_of(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const auto at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

}  // namespace

TEST_CASE("A page of attention holds every sentence, whatever it says", "[report][attention]") {
  const TemporaryFolder folder;
  write_pictures(folder / "a.html");
  CHECK(problems_of_page(folder / "a.html").empty());
  const auto data = data_of(read_file(folder / "a.html"));
  REQUIRE(data.size() == 3);
  CHECK(data[0] ==
        nlohmann::json::parse(R"([1, "xy z", "a b", ["xy", "z"], ["a", "b"], "1e466400"])"));
  CHECK(data[1][1].get<std::string>().rfind("</script><b>", 0) == 0);
  CHECK(data[2][4].empty());
}

TEST_CASE("A page of attention draws the sentence that its address names", "[report][attention]") {
  const TemporaryFolder folder;
  write_pictures(folder / "a.html");
  const auto first = page_in_browser(folder / "a.html", "#1");
  CHECK(contains(first, "<p id=\"translation\">a b</p>"));
  CHECK(contains(first, "data-x=\"1\" data-y=\"0\" style=\"--w: 0.7;\">70</td>"));
  const auto last = page_in_browser(folder / "a.html", "#3");
  CHECK(contains(last, "<p id=\"translation\"></p>"));
  CHECK_FALSE(contains(last, "data-x=\""));
  CHECK_FALSE(contains(last, "<p id=\"none\" class=\"faint\" hidden"));
}

TEST_CASE("A page of attention draws a sentence beyond its list", "[report][attention]") {
  const TemporaryFolder folder;
  AttentionFile file(folder / "a.html");
  for (int64_t number = 1; number <= 2000; ++number) file.add(number, "xy z", some_translation());
  file.add(2001, "xy z", some_translation("the last"));
  file.finish();
  const auto shown = page_in_browser(folder / "a.html", "#2001");
  CHECK(contains(shown, "<p id=\"translation\">the last</p>"));
}

TEST_CASE("A page of attention without sentences says that it has none", "[report][attention]") {
  const TemporaryFolder folder;
  AttentionFile(folder / "a.html").finish();
  const auto shown = page_in_browser(folder / "a.html", "");
  CHECK(contains(shown, "<p id=\"none\" class=\"faint\">"));
}

TEST_CASE("A picture of attention is sound XML, with a matrix for each sentence",
          "[report][attention]") {
  const TemporaryFolder folder;
  write_pictures(folder / "a.svg");
  CHECK(problems_of_page(folder / "a.svg").empty());
  const auto svg = read_file(folder / "a.svg");
  size_t matrices = 0;
  for (size_t at = svg.find("<svg class"); at != std::string::npos;
       at = svg.find("<svg class", at + 1)) {
    ++matrices;
  }
  CHECK(matrices == 3);
  CHECK(contains(svg, "&lt;/script&gt;&lt;b&gt;"));
  // Weights of 0.3, 0.7, 1 and 0.
  for (const char* shade : {"\"0.22\"", "\"0.47\"", "\"0.65\"", "\"0.04\""}) {
    CHECK(contains(svg, std::string("fill-opacity=") + shade));
  }
}

TEST_CASE("Data of attention has the weights of words and of tokens", "[report][attention]") {
  const TemporaryFolder folder;
  write_pictures(folder / "a.json");
  const auto data = nlohmann::json::parse(read_file(folder / "a.json"));
  REQUIRE(data.size() == 3);
  CHECK(data[0]["source_words"].size() == 2);
  CHECK(data[0]["candidates"][0]["attention"].size() == 3);
  CHECK(data[0]["candidates"][0]["word_attention"][1][0].get<double>() == 1.0);
}

TEST_CASE("A file of attention without sentences is whole too", "[report][attention]") {
  const TemporaryFolder folder;
  for (const char* name : {"a.html", "a.svg"}) {
    AttentionFile(folder / name).finish();
    CHECK(problems_of_page(folder / name).empty());
  }
  AttentionFile(folder / "a.json").finish();
  CHECK(nlohmann::json::parse(read_file(folder / "a.json")).empty());
}

TEST_CASE("A file of attention that is not finished leaves nothing", "[report][attention]") {
  const TemporaryFolder folder;
  {
    AttentionFile file(folder / "a.html");
    file.add(1, "xy z", some_translation());
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("The ending says what a file of attention becomes", "[report][attention]") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(AttentionFile(folder / "a.png"), UsageError);
  CHECK(contains(error_of([&] { AttentionFile(folder / "a"); }), "use .html, .svg or .json"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace nmt
