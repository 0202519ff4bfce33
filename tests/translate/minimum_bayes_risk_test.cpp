#include "translate/minimum_bayes_risk.h"

#include <cmath>

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

// chrF2 of "ab" with the reference "abcd" is 100 · 25/53, the other way round 100 · 25/32.
constexpr double kShort = 100 * 25 / 53.;
constexpr double kLong = 100 * 25 / 32.;

Translation candidates(const std::vector<std::pair<std::string, double>>& texts) {
  Translation translation;
  for (const auto& [text, probability] : texts) {
    auto& candidate = translation.candidates.emplace_back();
    candidate.text = text;
    candidate.log_probability = std::log(probability);
  }
  translation.text = texts.front().first;
  return translation;
}

}  // namespace

TEST_CASE("Of samples, the one most like all of them comes first", "[translate][mbr]") {
  auto even = candidates({{"ab", 0.9}, {"abcd", 0.1}});
  minimize_risk(even, /*sampled=*/true, 2);
  CHECK(even.text == "abcd");
  CHECK(even.candidates[0].score == Approx((100 + kLong) / 2));
  CHECK(even.candidates[1].score == Approx((100 + kShort) / 2));
  // Three times "ab" outweigh it; equal texts are listed once.
  auto often = candidates({{"ab", 0.1}, {"abcd", 0.1}, {"ab", 0.1}, {"ab", 0.1}});
  minimize_risk(often, /*sampled=*/true, 4);
  REQUIRE(often.candidates.size() == 2);
  CHECK(often.text == "ab");
  CHECK(often.candidates[0].score == Approx(0.75 * 100 + 0.25 * kShort));
}

TEST_CASE("An n-best list is weighed by the model's probabilities", "[translate][mbr]") {
  // They sum to 0.4: 3/4 and 1/4.
  auto list = candidates({{"ab", 0.3}, {"abcd", 0.1}});
  minimize_risk(list, /*sampled=*/false, 2);
  CHECK(list.text == "ab");
  CHECK(list.candidates[0].score == Approx(0.75 * 100 + 0.25 * kShort));
  CHECK(list.candidates[1].score == Approx(0.75 * kLong + 0.25 * 100));
  minimize_risk(list, /*sampled=*/false, 1);
  CHECK(list.candidates.size() == 1);
  auto improbable = candidates({{"ab", 1.0}, {"abcd", 1.0}});
  for (auto& candidate : improbable.candidates) candidate.log_probability = -5000;
  minimize_risk(improbable, /*sampled=*/false, 2);
  CHECK(improbable.candidates[0].score == Approx((100 + kLong) / 2));
}

TEST_CASE("A translator chooses among as many candidates as asked for", "[translate][mbr]") {
  TranslatorOptions model;
  model.model_dirs = {NMT_SOURCE_DIR "/models/sample"};
  model.threads = 1;
  model.device = test_device_name();
  const Translator translator(model);
  const std::vector<std::string> lines = {"변호사는 언제 축구를 연습합니까?", ""};
  TranslationOptions options;
  options.beam_size = 4;
  options.n_best = 4;
  auto expected = translator.translate(lines, options);
  for (auto& translation : expected) minimize_risk(translation, false, 2);
  options.n_best = 2;
  const auto chosen = translate_with_least_risk(translator, lines, options, 4);
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].text == expected[0].text);
  REQUIRE(chosen[0].candidates.size() == 2);
  CHECK(chosen[0].candidates[1].score == expected[0].candidates[1].score);
  CHECK(chosen[1].text.empty());
  CHECK(translate_with_least_risk(translator, lines, options, 0)[0].candidates[0].score < 0);
  CHECK(contains(error_of([&] { translate_with_least_risk(translator, lines, options, 5); }),
                 "mbr: 5 candidates of a beam of 4"));
  CHECK(contains(error_of([&] { translate_with_least_risk(translator, lines, options, 1); }),
                 "mbr: 1 candidates for the 2 best"));
  options.sample = true;
  CHECK(translate_with_least_risk(translator, lines, options, 20)[0].candidates.size() <= 2);
}

}  // namespace nmt
