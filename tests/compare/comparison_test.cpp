#include "compare/comparison.h"

#include <nlohmann/json.hpp>

#include "errors/error.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"
#include "support/catch.h"
#include "support/expect_error.h"

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
  CHECK(comparison.metrics[1].result.a == Approx(corpus_chrf(kOne, kRight).score));
  CHECK(comparison.metrics[1].result.b == Approx(corpus_chrf(kTwo, kRight).score));
  CHECK(comparison.metrics[2].result.a == Approx(corpus_ter(kOne, kRight).score));
  CHECK(comparison.metrics[2].result.b == Approx(corpus_ter(kTwo, kRight).score));
  CHECK_FALSE(comparison.metrics[2].higher_is_better);
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
  const auto text = to_text(comparison, texts(), options);
  CHECK(contains(text, "A  one\nB  two\n"));
  CHECK(contains(text, "1000 bootstrap samples, seed 12345"));
  CHECK(contains(text, "source            s2"));
  CHECK(contains(text, "Sentences where A is most ahead\n\nline 2\n"));
  const auto line = to_json(comparison, texts(), options);
  CHECK(line.find('\n') == line.size() - 1);
  const auto json = nlohmann::json::parse(line);
  CHECK(json["metrics"].size() == 3);
  CHECK(json["metrics"][1]["p"].get<double>() == comparison.metrics[1].result.p);
  CHECK(json["a_better"][0]["source"] == "s2");
  CHECK(json["b_better"][0]["b"]["text"].get<std::string>() ==
        kTwo[static_cast<size_t>(comparison.b_better[0].line - 1)]);
}

TEST_CASE("Unequal numbers of lines cannot be compared", "[evaluate][comparison]") {
  CHECK_THROWS_AS(compare(kOne, {"one"}, kRight, {}), Error);
}

}  // namespace nmt
