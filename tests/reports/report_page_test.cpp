#include "reports/report_page.h"

#include <limits>

#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

const std::string kMarkup = "</script><i>\"x\" & 'y' \x01 \xFF";

ReportContent full_content() {
  ReportContent content;
  content.name = kMarkup;
  for (int64_t i = 1; i <= 20; ++i) {
    const auto x = static_cast<double>(i);
    content.history.training.push_back({i * 50, x * 30, 4 / x, 100 / x, 1e-3, 1.0 / x, 1e4 + x});
  }
  for (int64_t i = 1; i <= 3; ++i) {
    const auto x = static_cast<double>(i);
    content.history.validations.push_back(
        {i * 300,
         i,
         x * 200,
         3 / x,
         20 / x,
         10 * x,
         20 * x,
         x / 8,
         i == 2,
         {{1, kMarkup, "try " + std::to_string(i), kMarkup}, {9, "s", "never changes", "r"}}});
  }
  content.limit = "--validation.patience";
  content.facts = {{"train_source sha256", "abc"}, {kMarkup, kMarkup}};
  content.settings = "data: " + kMarkup;
  ValidationStudy study;
  study.bleu = 12.345;
  for (int64_t i = 0; i < 12; ++i) {
    study.sentences.push_back(
        {i, "source " + std::to_string(i), kMarkup, "reference", static_cast<double>(i)});
  }
  study.lengths = {{1, 5, 12, 10, 20, 0.9}};
  study.frequencies = {{0, 0, 4, 1}};
  study.drawn.push_back({study.sentences[0], {{"x", kMarkup}, {"y"}, {{0.25F, 0.75F}}}});
  content.study = study;
  return content;
}

std::string page_of(const ReportContent& content, const TemporaryFolder& folder) {
  const auto page = report_page(content);
  folder.write("page.html", page);
  CHECK(problems_of_page(folder / "page.html").empty());
  return page;
}

}  // namespace

TEST_CASE("A report is one sound page that holds what is known", "[report]") {
  const TemporaryFolder folder;
  const auto page = page_of(full_content(), folder);
  CHECK(contains(page, "&lt;/script&gt;&lt;i&gt;"));
  CHECK_FALSE(contains(page, "<i>"));
  for (const char* part : {"Loss", "손실", "Gradient norm", "Tokens per second", "BLEU 12.35",
                           "train_source sha256", "found, %", ">try 1<", ">try 3<"}) {
    INFO(part);
    CHECK(contains(page, part));
  }
  CHECK(contains(page, "<strong>600</strong>"));  // where the best was
  // What does not change is told once, from where it came to be.
  CHECK(contains(page, "<dt>300</dt><dd>never changes</dd>"));
  CHECK_FALSE(contains(page, "<dt>600</dt><dd>never changes</dd>"));
  CHECK_FALSE(contains(page, "id=\"live\""));
}

TEST_CASE("A report shows the ratings of a validation script, where there are any", "[report]") {
  const TemporaryFolder folder;
  auto content = full_content();
  const auto page = page_of(content, folder);
  CHECK(contains(page, "Rating of validation.script by updates"));
  CHECK(contains(page, "<strong>0.2500</strong>"));  // the best
  for (auto& point : content.history.validations) {
    point.script = std::numeric_limits<double>::quiet_NaN();
  }
  const auto without = page_of(content, folder);
  CHECK_FALSE(contains(without, "Rating of"));
  CHECK_FALSE(contains(without, "script rating"));
}

TEST_CASE("A report shows what would help most once the run has ended", "[report]") {
  const TemporaryFolder folder;
  auto content = full_content();
  CHECK_FALSE(contains(page_of(content, folder), "id=\"advice\""));  // three validations: too few
  const auto first = content.history.validations.front();
  for (int64_t i = 4; i <= 6; ++i) {
    content.history.validations.push_back(first);
    content.history.validations.back().update = i * 300;
    content.history.validations.back().epoch = i;
  }
  CHECK(contains(page_of(content, folder), "more data: validation loss rose from 1.000 to 3.000"));
  auto brief = content;
  for (auto& point : brief.history.validations) {
    point.epoch = 1;
    point.loss = 2;
  }
  CHECK(contains(page_of(brief, folder), "ended in epoch 1; raise --validation.patience<"));
  content.live = true;
  CHECK_FALSE(contains(page_of(content, folder), "id=\"advice\""));
  content.live = false;
  content.limit.clear();  // interrupted, or of a model that was trained before
  CHECK_FALSE(contains(page_of(content, folder), "id=\"advice\""));
}

TEST_CASE("A report explains why its BLEU is not that of the training", "[report]") {
  const TemporaryFolder folder;
  auto content = full_content();  // the best of its validations has BLEU 20, at update 600
  content.validation_beam = 3;
  content.validation_sentences = 200;
  CHECK(contains(page_of(content, folder),
                 "BLEU in training was 20.00, with beam size 3 on at most 200 validation "
                 "sentences at update 600."));
  content.validation_sentences = 0;
  CHECK(contains(page_of(content, folder), "on all validation sentences"));
  content.evaluated = "a<b.ko";  // other sentences
  const auto other = page_of(content, folder);
  CHECK(contains(other, "Evaluation on a&lt;b.ko"));
  CHECK_FALSE(contains(other, "BLEU in training was"));
  content.evaluated.clear();
  content.history.validations.clear();
  CHECK_FALSE(contains(page_of(content, folder), "BLEU in training"));
}

TEST_CASE("A report marks where the worst sentences differ from the reference", "[report]") {
  const TemporaryFolder folder;
  auto content = full_content();
  content.study->sentences[0].translation = "What did we buy?";
  content.study->sentences[0].reference = "What do we buy?";
  const auto page = page_of(content, folder);
  CHECK(contains(page, "What <mark>did</mark> we buy?"));
  CHECK(contains(page, "What <mark>do</mark> we buy?"));
}

TEST_CASE("A report says why a part is missing", "[report]") {
  const TemporaryFolder folder;
  ReportContent content;
  content.name = "m";
  content.why_no_history = "no <metrics>";
  content.why_no_study = "no 'text'";
  const auto page = page_of(content, folder);
  CHECK(contains(page, "no &lt;metrics&gt;"));
  CHECK(contains(page, "no 'text'"));
}

TEST_CASE("A live page says so, and waits for numbers", "[report]") {
  const TemporaryFolder folder;
  ReportContent content;
  content.live = true;
  const auto page = page_of(content, folder);
  CHECK(contains(page, "id=\"live\""));
  CHECK(contains(page, "No data yet."));
}

}  // namespace nmt
