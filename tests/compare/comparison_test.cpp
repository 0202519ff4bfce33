#include <nlohmann/json.hpp>

#include "compare/compare_systems.h"
#include "errors/error.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

const std::vector<std::string> kRight = {"the cat is on the mat", "a dog ran away", "hello"};
const std::vector<std::string> kOne = {"the cat sat on the mat", "a dog ran away", "hullo"};
const std::vector<std::string> kTwo = {"the cat is on the mat", "a cat", "hello"};

ComparedTexts texts() { return {"one", "two", {"s1", "s2", "s3"}, kOne, kTwo, kRight}; }

}  // namespace

TEST_CASE("A comparison has each system's own scores", "[evaluate][comparison]") {
  const auto comparison = compare(kOne, kTwo, kRight, {});
  REQUIRE(comparison.metrics.size() == 3);
  CHECK(comparison.metrics[0].result.a == Approx(corpus_bleu(kOne, kRight).score));
  CHECK(comparison.metrics[0].result.b == Approx(corpus_bleu(kTwo, kRight).score));
  CHECK(comparison.metrics[1].result.a == Approx(corpus_chrf(kOne, kRight)));
  CHECK(comparison.metrics[1].result.b == Approx(corpus_chrf(kTwo, kRight)));
  CHECK(comparison.metrics[2].result.a == Approx(corpus_ter(kOne, kRight)));
  CHECK(comparison.metrics[2].result.b == Approx(corpus_ter(kTwo, kRight)));
  CHECK_FALSE(comparison.metrics[2].higher_is_better);
}

TEST_CASE("Files are read before models translate", "[evaluate][comparison]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "model");  // would fail
  ComparisonRequest request;
  request.systems = {(folder / "model").string(), (folder / "absent").string()};
  request.source = folder.write("source", "a\n");
  request.reference = folder.write("reference", "b\n");
  CHECK(contains(error_of([&] { compare_systems(request); }), "absent: cannot be read"));
}

TEST_CASE("A model of one language reads lines that name theirs without it",
          "[evaluate][comparison]") {
  const TemporaryFolder folder;
  ComparisonRequest request;
  request.reference = folder.write("reference", "I read a book.\nI go.\n");
  request.systems = {request.reference.string(), NMT_SOURCE_DIR "/models/sample"};
  request.source = folder.write("source", "<2en> 저는 책을 읽어요.\n<2en> 저는 책을 읽어요.\n");
  request.translator.threads = 1;
  CHECK(compare_systems(request).front().texts.b == std::vector<std::string>(2, "I read a book."));
}

TEST_CASE("The sentences that differ most stand on the side that is better",
          "[evaluate][comparison]") {
  ComparisonOptions options;
  options.num_sentences = 1;
  const auto comparison = compare(kOne, kTwo, kRight, options);
  REQUIRE(comparison.a_better.size() == 1);
  CHECK(comparison.a_better[0].line == 2);
  CHECK(comparison.a_better[0].a == Approx(100));
  REQUIRE(comparison.b_better.size() == 1);
  CHECK(comparison.b_better[0].line == 3);
}

TEST_CASE("Equal translations have nothing to show", "[evaluate][comparison]") {
  const auto comparison = compare(kOne, kOne, kRight, {});
  CHECK(comparison.a_better.empty());
  CHECK(comparison.b_better.empty());
  for (const auto& metric : comparison.metrics) CHECK(metric.result.p == 1);
}

TEST_CASE("The JSON of a comparison holds what the text does", "[evaluate][comparison]") {
  const ComparisonOptions options;
  const auto comparison = compare(kOne, kTwo, kRight, options);
  const auto text = to_text({{texts(), comparison}}, options);
  CHECK(contains(text, "A  one\nB  two\n"));
  CHECK(contains(text,
                 "\n3 lines, 1000 bootstrap samples, seed 12345; * p below 0.05, 0 outside the "
                 "interval; few lines: the differences are rough\n"));
  CHECK(contains(text, "source            s2"));
  CHECK(contains(text, "Sentences where A is most ahead\n\nline 2\n"));
  const auto line = to_json({{texts(), comparison}}, options);
  CHECK(line.find('\n') == line.size() - 1);
  const auto json = nlohmann::json::parse(line);
  CHECK(json["metrics"].size() == 3);
  CHECK(json["metrics"][1]["p"].get<double>() == comparison.metrics[1].result.p);
  CHECK(json["a_better"][0]["source"] == "s2");
  CHECK(json["b_better"][0]["b"]["text"].get<std::string>() ==
        kTwo[static_cast<size_t>(comparison.b_better[0].line - 1)]);
}

TEST_CASE("Groups by length have the BLEU of their sentences", "[evaluate][comparison]") {
  auto compared = texts();
  compared.sources = {"1 2 3 4 5 6", "1", "1 2"};
  const auto groups = compare_by_length(compared);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].name == "1–5");
  CHECK(groups[0].size == 2);
  CHECK(groups[0].a == Approx(corpus_bleu({kOne[1], kOne[2]}, {kRight[1], kRight[2]}).score));
  CHECK(groups[1].name == "6–10");
  CHECK(groups[1].size == 1);
  CHECK(groups[1].a == Approx(corpus_bleu({kOne[0]}, {kRight[0]}).score));
  CHECK(groups[1].b == Approx(100));
  compared.sources[0] = "<2de> 1 2 3 4 5";  // five words in a language
  CHECK(compare_by_length(compared).size() == 1);
  compared.sources.clear();  // then the references, of 6, 4 and 1 words
  CHECK(compare_by_length(compared)[1].size == 1);
}

TEST_CASE("Groups by frequency count the words that each system found", "[evaluate][comparison]") {
  const TemporaryFolder folder;
  folder.write("train", "the the the the the the the the the the cat\nis on mat a dog\n");
  const auto groups =
      compare_by_frequency(texts(), count_reference_words(kRight, folder / "train"));
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].name == "0");  // ran, away, hello
  CHECK(groups[0].size == 3);
  CHECK(groups[0].a == Approx(100.0 * 2 / 3));
  CHECK(groups[0].b == Approx(100.0 * 1 / 3));
  CHECK(groups[1].name == "1–9");  // cat, is, on, mat, a, dog
  CHECK(groups[1].size == 6);
  CHECK(groups[1].a == Approx(100.0 * 5 / 6));
  CHECK(groups[1].b == Approx(100.0 * 5 / 6));
  CHECK(groups[2].name == "10–99");  // the, twice
  CHECK(groups[2].size == 2);
  CHECK(groups[2].a == Approx(100));
}

TEST_CASE("Several systems are compared with the first", "[evaluate][comparison]") {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    folder.write(name, text);
    return (folder / name).string();
  };
  ComparisonRequest request;
  request.systems = {write("one", kOne), write("two", kTwo), write("right", kRight)};
  request.reference = request.systems.back();
  const auto compared = compare_systems(request);
  REQUIRE(compared.size() == 2);
  CHECK(compared[1].texts.a == kOne);
  CHECK(compared[1].texts.b == kRight);
  CHECK(compared[1].comparison.metrics[0].result.b == Approx(100));
  const auto text = to_text(compared, request.options);
  CHECK(contains(text, "B2    100.00"));
  const auto json = nlohmann::json::parse(to_json(compared, request.options));
  CHECK(json["comparisons"].size() == 2);
  CHECK(json["comparisons"][1]["metrics"][0]["b"].get<double>() == Approx(100));
}

TEST_CASE("Lines without a reference are left out of a comparison", "[evaluate][comparison]") {
  const auto with_gap = [](std::vector<std::string> lines, const char* text) {
    lines.insert(lines.begin(), text);
    return lines;
  };
  const ComparisonOptions options;
  const auto expected = compare(kOne, kTwo, kRight, options);
  ComparedTexts gap{
      "one", "two", {}, with_gap(kOne, "a b"), with_gap(kTwo, "c"), with_gap(kRight, "")};
  const auto comparison = compare(gap.a, gap.b, gap.references, options);
  CHECK(comparison.lines == 3);
  CHECK(comparison.lines_left_out == 1);
  for (size_t i = 0; i < expected.metrics.size(); ++i) {
    CHECK(comparison.metrics[i].result.a == expected.metrics[i].result.a);
    CHECK(comparison.metrics[i].result.b == expected.metrics[i].result.b);
    CHECK(comparison.metrics[i].result.p == expected.metrics[i].result.p);
  }
  CHECK(comparison.a_better.front().line == expected.a_better.front().line + 1);
  int64_t sentences = 0;
  for (const auto& group : compare_by_length(gap)) sentences += group.size;
  CHECK(sentences == 3);
  CHECK(contains(to_text({{gap, comparison}}, options), "\n1 line without a reference left out\n"));
  CHECK(nlohmann::json::parse(to_json({{gap, comparison}}, options))["lines_left_out"] == 1);
  CHECK_THROWS_AS(compare(kOne, kTwo, {"", "", ""}, options), Error);
}

TEST_CASE("A difference on one line is never significant", "[evaluate][comparison]") {
  const std::vector<std::string> right = {"the cat is on the mat"};
  const auto one = compare({"a dog ran"}, right, right, {});
  CHECK(one.metrics[0].result.p < kSignificant);
  for (const auto& metric : one.metrics) CHECK_FALSE(metric.significant);
  const std::vector<std::string> twice(2, right[0]);
  CHECK(compare({"a dog ran", "a dog ran"}, twice, twice, {}).metrics[0].significant);
}

TEST_CASE("A difference whose interval includes 0 is not significant", "[evaluate][comparison]") {
  const std::vector<std::string> right(20, "a b c d e f g h i j");
  auto a = right;
  auto b = right;
  for (size_t i = 0; i < 11; ++i) (i < 3 ? a : b)[i] = "a b c d e f g h i x";
  const auto ter = compare(a, b, right, {}).metrics[2];
  CHECK(ter.result.p < kSignificant);
  CHECK(ter.result.low < 0);
  CHECK_FALSE(ter.significant);
}

TEST_CASE("Unequal numbers of lines cannot be compared", "[evaluate][comparison]") {
  CHECK_THROWS_AS(compare(kOne, {"one"}, kRight, {}), Error);
}

TEST_CASE("BLEU of text without spaces is compared by characters", "[evaluate][comparison]") {
  const std::vector<std::string> right = {"你好，世界！", "他有三本书。"};
  const auto comparison = compare(right, {"你好，世界！", "他有两本书。"}, right, {});
  CHECK(comparison.metrics[0].result.a == Approx(100));
  CHECK(comparison.metrics[0].result.b > 50);
  CHECK(comparison.metrics[0].result.b < 100);
  CHECK(contains(comparison.metrics[0].signature, "|tok:zh|"));
}

}  // namespace nmt
