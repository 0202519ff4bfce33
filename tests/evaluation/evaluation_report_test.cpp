#include "evaluation/evaluation_report.h"

#include <nlohmann/json.hpp>

#include "errors/error.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

const std::vector<std::string> kHypotheses = {"the cat sat on the mat", "a b"};
const std::vector<std::string> kReferences = {"the cat is on the mat", "a c"};

}  // namespace

TEST_CASE("A report has a line for each metric, its signature last", "[evaluate][report]") {
  EvaluationOptions options;
  options.chrf.word_order = 2;
  auto report = evaluate(kHypotheses, kReferences, options);
  report.perplexity = 12.3456;
  // Matches: 6 of 8 words, 3 of 6 pairs, 1 of 4 triples, none of 3 quadruples: the fourth root of
  // 6/8 · 3/6 · 1/4 · 1/(2·3) is 0.35355.
  const auto text = to_text(report, options);
  INFO(text);
  CHECK(text.rfind("BLEU 35.36  (75.0/50.0/25.0/16.7 ", 0) == 0);
  CHECK(contains(text, "ratio 1.000"));
  CHECK(contains(text, "words 8 of 8"));
  CHECK(contains(text, bleu_signature(options.bleu) + "\nchrF2++ "));
  // Two substitutions in 8 words.
  CHECK(contains(
      text, chrf_signature(options.chrf) + "\nTER 25.00  " + ter_signature(options.ter) + "\n"));
  CHECK(contains(text, "\nperplexity 12.346 "));
}

TEST_CASE("A report holds the metrics asked for and no others", "[evaluate][report]") {
  EvaluationOptions options;
  options.metrics = {"chrf"};
  const auto report = evaluate(kHypotheses, kReferences, options);
  CHECK_FALSE(report.bleu);
  CHECK_FALSE(report.ter);
  const auto text = to_text(report, options);
  CHECK(text.rfind("chrF2 ", 0) == 0);
  CHECK(text.find('\n') == text.size() - 1);
}

TEST_CASE("The JSON report has the figures at full precision", "[evaluate][report]") {
  const EvaluationOptions options;
  const auto report = evaluate(kHypotheses, kReferences, options);
  const auto text = to_json(report, options);
  CHECK(text.find('\n') == text.size() - 1);
  const auto json = nlohmann::json::parse(text);
  CHECK(json["lines"] == 2);
  CHECK(json["bleu"]["score"].get<double>() == report.bleu->score);
  CHECK(json["bleu"]["precisions"].size() == 4);
  CHECK(json["bleu"]["signature"] == bleu_signature(options.bleu));
  CHECK(json["chrf"]["score"].get<double>() == *report.chrf);
  CHECK(json["ter"]["score"].get<double>() == Approx(25));
  CHECK_FALSE(json.contains("perplexity"));
  CHECK_FALSE(json.contains("lines_left_out"));
}

TEST_CASE("A correlation that is not defined is no number", "[evaluate][report]") {
  const EvaluationOptions options;
  auto report = evaluate(kHypotheses, kReferences, options);
  report.confidence = ConfidenceReport{0.5, std::nan("")};
  CHECK(
      contains(to_text(report, options),
               "\nconfidence 0.500  mean; Pearson correlation with sentence chrF2: not defined\n"));
  CHECK(nlohmann::json::parse(to_json(report, options))["confidence"]["correlation"].is_null());
}

TEST_CASE("Lines without a reference in any file count in no metric", "[evaluate][report]") {
  const EvaluationOptions options;
  const auto expected = evaluate(kHypotheses, kReferences, options);
  const std::vector<std::vector<std::string>> files = {{kReferences[0], "", ""},
                                                       {kReferences[0], "", kReferences[1]}};
  const auto report =
      evaluate({kHypotheses[0], "no reference", kHypotheses[1]}, References(files), options);
  CHECK(report.lines == 3);
  CHECK(report.lines_left_out == 1);
  CHECK(report.bleu->score == expected.bleu->score);
  CHECK(report.bleu->hypothesis_length == expected.bleu->hypothesis_length);
  CHECK(report.chrf == expected.chrf);
  CHECK(report.ter == expected.ter);
  CHECK(contains(to_text(report, options),
                 "\nBLEU, chrF2 and TER leave out 1 line without a reference\n"));
  CHECK(nlohmann::json::parse(to_json(report, options))["lines_left_out"] == 1);
  CHECK_FALSE(contains(to_text(expected, options), "leave out"));
  CHECK_THROWS_AS(evaluate(kHypotheses, {"", ""}, options), Error);
}

}  // namespace nmt
