#include "corpus_check/corpus_inspection.h"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "corpus_check/data_check.h"
#include "corpus_check/pair_sample.h"
#include "files/line_reader.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using Pair = std::pair<std::string, std::string>;

/// Good pairs of the sample corpus, then the given ones; what is found by line.
std::string issues_in(const std::vector<Pair>& pairs, CorpusInspection& inspection,
                      const std::string& held_out = "") {
  const TemporaryFolder folder;
  const auto sources = read_lines(NMT_SOURCE_DIR "/data/sample/train.ko");
  const auto targets = read_lines(NMT_SOURCE_DIR "/data/sample/train.en");
  std::string source;
  std::string target;
  for (size_t i = 0; i < 500; ++i) {
    source += sources[i] + "\n";
    target += targets[i] + "\n";
  }
  for (const auto& pair : pairs) {
    source += pair.first + "\n";
    target += pair.second + "\n";
  }
  InspectionRequest request;
  request.corpus = {folder.write("source", source), folder.write("target", target)};
  if (!held_out.empty()) request.held_out = {folder.write("test", held_out)};
  std::string issues;
  inspection = inspect_corpus(request, [&](const InspectedPair& pair) {
    if (!pair.issue || pair.line <= 500) return;
    issues += std::to_string(pair.line - 501) + " " + issue_name(*pair.issue) + "\n";
  });
  return issues;
}

}  // namespace

TEST_CASE("Lines that are not UTF-8 do not count for the ratio of lengths", "[inspect]") {
  const TemporaryFolder folder;
  InspectionRequest request;
  request.corpus = {folder.write("source", "four\n\xB3\xAA\n"),
                    folder.write("target", "four\nmuch longer than it\n")};
  REQUIRE(inspect_corpus(request).length_ratio == 1.0);
}

TEST_CASE("Lines that are not UTF-8 do not make the others seem misaligned", "[inspect]") {
  const auto sources = read_lines(NMT_SOURCE_DIR "/data/sample/train.en");
  std::string source;
  std::string target;
  for (size_t i = 0; i < 700; ++i) {
    source += sources[i] + (i % 5 < 2 ? "\xFC\n" : "\n");
    target += sources[i] + "\n";
  }
  const TemporaryFolder folder;
  InspectionRequest request;
  request.corpus = {folder.write("source", source), folder.write("target", target)};
  const auto inspection = inspect_corpus(request);
  CHECK(inspection.counts[static_cast<size_t>(Issue::kNotUtf8)] == 280);
  CHECK(inspection.misaligned.empty());
}

TEST_CASE("Every issue of a pair is called by its name", "[inspect]") {
  std::string long_line = "word";
  for (int i = 0; i < 300; ++i) long_line += " word";
  const std::vector<Pair> pairs = {
      {"나는 오늘 아침에 학교에 갔습니다.", "I went to school this morning."},
      {"나는 오늘 아침에 학교에 갔습니다!", "i went to School this morning"},
      {"", "Nothing stands beside this."},
      {"   ", "Nothing stands beside this."},
      {"나는 \xFF 갔습니다.", "I went."},
      {"나는 \x01 갔습니다.", "I went."},
      {"This line is here twice.", "This line is here twice."},
      {long_line, long_line + " more"},
      {"Dieser Satz steht auf der falschen Seite.", "This sentence stands on the wrong side."},
      {"1234-5678-9012-3456-7890", "This is the number of the account that you asked for."},
      {"네.", "I would like to tell you everything about it, from the very beginning to the end."},
      {"당신은 어제 저녁에 무엇을 먹었습니까?", "What did you eat yesterday evening?"}};
  CorpusInspection inspection;
  const auto issues =
      issues_in(pairs, inspection, "A line.\nWhat did you eat yesterday evening?\n");
  REQUIRE(issues ==
          "1 duplicate\n2 empty\n3 empty\n4 not-utf8\n5 control\n6 copy\n7 too-long\n8 script\n"
          "9 no-words\n10 length\n11 in-test\n");
  REQUIRE(inspection.lines == 512);
  REQUIRE(inspection.source_script == Script::kHangul);
  REQUIRE(inspection.target_script == Script::kLatin);
  REQUIRE(inspection.counts[static_cast<size_t>(Issue::kEmpty)] == 2);
  REQUIRE(inspection.examples[static_cast<size_t>(Issue::kCopy)][0].line == 507);
  int64_t faulty = 0;
  for (const int64_t count : inspection.counts) faulty += count;
  REQUIRE(inspection.good + faulty == inspection.lines);
}

TEST_CASE("Lines of scripts without spaces are found in held-out texts and as copies",
          "[inspect]") {
  std::string long_line;
  for (int i = 0; i < 501; ++i) long_line += i % 2 == 0 ? "长" : "句";
  CorpusInspection inspection;
  const auto issues =
      issues_in({{"저는 어제 도서관에서 책을 읽었어요.", "我昨天在图书馆里看了一本书。"},
                 {"我们明天去学校", "我们明天去学校"},
                 {"서울", "首尔"},
                 {long_line, "译" + long_line},
                 {"저는 지난주에 시장에 갔어요.", "ខ្ញុំបានទៅផ្សារកាលពីសប្តាហ៍មុន។"}},
                inspection, "我昨天在图书馆里看了一本书。\n首尔\nខ្ញុំបានទៅផ្សារកាលពីសប្តាហ៍មុន។\n");
  REQUIRE(contains(issues, "0 in-test\n1 copy\n"));
  REQUIRE_FALSE(contains(issues, "2 in-test"));
  REQUIRE(contains(issues, "3 too-long\n4 in-test"));
}

TEST_CASE("Held-out lines are found whichever target language they or the corpus name",
          "[inspect]") {
  CorpusInspection inspection;
  const std::string line = "당신은 어제 저녁에 무엇을 먹었습니까?";
  for (const std::string corpus : {"", "<2en> "}) {
    for (const std::string held_out : {"", "<2en> ", "<2de> "}) {
      const auto issues = issues_in({{corpus + line, "What did you eat yesterday evening?"}},
                                    inspection, held_out + line + "\n");
      REQUIRE(issues == "0 in-test\n");
    }
  }
}

TEST_CASE("Held-out lines without letters and digits match nothing", "[inspect]") {
  CorpusInspection inspection;
  const auto issues =
      issues_in({{"?? !! ?? !! ??", "!! ?? !! ?? !!"}}, inspection, "*** *** *** *** ***\n");
  REQUIRE_FALSE(contains(issues, "in-test"));
}

TEST_CASE("A sample has half its capacity at least, whichever lines have text", "[inspect]") {
  for (const int64_t first : {1, 2}) {
    constexpr size_t kCapacity = 100;
    PairSample sample(kCapacity);
    for (int64_t line = first; line <= 8 * int64_t{kCapacity}; line += 2)
      sample.offer(line, "", "");
    REQUIRE(sample.pairs().size() >= kCapacity / 2);
    REQUIRE(sample.pairs().size() <= kCapacity);
  }
}

TEST_CASE("A name among sentences is no wrong script", "[inspect]") {
  CorpusInspection inspection;
  const auto issues = issues_in(
      {{"Harry와 Jane은 공원을 떠났다.", "Harry and Jane left the park."}, {"Jim!", "Jim!"}},
      inspection);
  REQUIRE(issues.empty());
}

TEST_CASE("A corpus that is split into subwords is named, and tabs are seen", "[inspect]") {
  CorpusInspection report;
  std::vector<Pair> pairs = {{"저는 책을 읽어요.\tI read.", "I read."}};
  for (int i = 0; i < 50; ++i) pairs.emplace_back("저@@ 는 책@@ 을 읽어요 .", "I read ▁ a book.");
  issues_in(pairs, report);
  CHECK(report.split == 50);
  CHECK_FALSE(contains(to_text(report), "subwords"));  // 9 %
  CHECK(contains(to_text(report), "저는 책을 읽어요.⇥I read."));
  for (int i = 0; i < 10; ++i) pairs.emplace_back("저는 책을 읽어요.", "I re@@ ad a book .");
  issues_in(pairs, report);
  CHECK(report.split == 60);
  CHECK(contains(to_text(report), "  11 % of the pairs are split into subwords (@@, ▁ or ￭), but"));
}

TEST_CASE("Targets that are not in Unicode's composed form are counted", "[inspect]") {
  CorpusInspection report;
  std::vector<Pair> pairs(5, {"Cafe\u0301 here", "Cafe\u0301 ici"});
  issues_in(pairs, report);  // after 500 others
  CHECK(report.not_composed == 5);
  CHECK_FALSE(contains(to_text(report), "composed form"));
  pairs.resize(10, {"Coffee there", "Cafe\u0301 l\u00E0"});
  issues_in(pairs, report);
  CHECK(contains(to_text(report), "  2 % of the targets are not in Unicode's composed form"));
}

TEST_CASE("A corpus that grows while it is read is refused", "[inspect]") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 20; ++i) text += "Line " + std::to_string(i) + "\n";
  InspectionRequest request;
  request.corpus = {folder.write("source", text), folder.write("target", text)};
  const auto grow = [&](const InspectedPair& pair) {
    if (pair.line > 1) return;
    std::ofstream(request.corpus.source, std::ios::app) << "one more\n";
    std::ofstream(request.corpus.target, std::ios::app) << "one more\n";
  };
  REQUIRE(contains(error_of([&] { inspect_corpus(request, grow); }), "target: changed while read"));
}

TEST_CASE("What cannot be a parallel corpus is refused", "[inspect]") {
  const TemporaryFolder folder;
  InspectionRequest request;
  request.corpus = {folder.write("source", "a\nb\n"), folder.write("target", "a\n")};
  REQUIRE(contains(error_of([&] { inspect_corpus(request); }), "2 lines"));
  request.corpus.source = folder / "absent";
  REQUIRE(contains(error_of([&] { inspect_corpus(request); }), "absent: cannot be read"));
  request.corpus.source = "-";
  REQUIRE(contains(error_of([&] { inspect_corpus(request); }),
                   "cannot be read twice; use a regular file"));
  request.corpus = {folder.write("none", ""), folder.write("nothing", "")};
  REQUIRE(contains(error_of([&] { inspect_corpus(request); }), "nothing: the corpus is empty"));
  REQUIRE(contains(error_of([] { parse_issue("bogus"); }), "not-utf8"));
}

}  // namespace nmt
