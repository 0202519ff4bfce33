#include "formats/output_format.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

Translation example() {
  TranslationCandidate best{"a dog\nruns", -0.5, -1.25, {"▁a", "▁dog"}, {-0.5, -0.5, -0.25}, {}};
  best.attention = {{0.9F, 0.1F}, {0.0F, 1.0F}, {0.5F, 0.5F}};
  const TranslationCandidate second{"dogs", -0.75, -1.5, {"▁dogs"}, {-1.0, -0.5}, {}};
  return {best.text, {"▁개가", "▁뛴다"}, {best, second}};
}

}  // namespace

TEST_CASE("Every format is one line for one translation", "[translate]") {
  REQUIRE(format_translation(3, "개가", example(), {}) == "a dog runs\n");
  OutputFormat scores;
  scores.scores = true;
  REQUIRE(format_translation(3, "개가", example(), scores) == "-0.500000\ta dog runs\n");
  OutputFormat n_best;
  n_best.n_best = true;
  REQUIRE(format_translation(3, "개가", example(), n_best) ==
          "2 ||| a dog runs ||| nmt= -1.250000 ||| -0.500000\n"
          "2 ||| dogs ||| nmt= -1.500000 ||| -0.750000\n");
}

TEST_CASE("Word scores follow the score of a line", "[translate]") {
  auto translation = example();
  auto& best = translation.candidates.front();
  best.words = {"a", "dog"};
  best.word_log_probabilities = {-0.5, -0.5, -0.25};
  REQUIRE(format_word_scores(translation) == "-1.250000\ta|-0.5000 dog|-0.5000 </s>|-0.2500\n");
}

TEST_CASE("JSON holds what there is to know, whatever the input's bytes", "[translate]") {
  OutputFormat format;
  format.json = true;
  format.attention = true;
  const auto text = format_translation(3, "개\xFF", example(), format);
  REQUIRE(std::count(text.begin(), text.end(), '\n') == 1);
  const auto json = nlohmann::json::parse(text);
  REQUIRE(json["line"] == 3);
  REQUIRE(json["translation"] == "a dog runs");
  REQUIRE(json["candidates"].size() == 2);
  REQUIRE(json["candidates"][0]["attention"][0][1].get<double>() == Approx(0.1));
  // Some readers of lines end them at NEL and the line and paragraph separators.
  const std::string ends =
      "a\xC2\x85"
      "b\u2028c\u2029";
  const auto escaped = format_translation(3, ends, example(), format);
  CHECK(contains(escaped, R"(a\u0085b\u2028c\u2029)"));
  CHECK(nlohmann::json::parse(escaped)["source"] == ends);
}

}  // namespace nmt
