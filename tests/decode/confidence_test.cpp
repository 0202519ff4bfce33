#include "decode/confidence.h"

#include <cmath>

#include "support/expect_error.h"
#include "support/torch_catch.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

double logistic(double z) { return 1.0 / (1.0 + std::exp(-z)); }

/// Sentences whose quality follows from the first feature and a little from the third.
std::vector<CalibrationSentence> some_sentences(size_t count) {
  std::vector<CalibrationSentence> sentences(count);
  for (size_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(i % 17) / 4 - 2;
    const auto y = static_cast<double>(i % 5) - 2;
    sentences[i].features[0] = 10 + 3 * x;
    sentences[i].features[2] = y;
    sentences[i].features[4] = 7;  // says nothing
    sentences[i].chrf = logistic(0.5 + x + 0.2 * y);
    sentences[i].length_ratio = i % 2 == 0 ? 0.1 : 0.5;
  }
  return sentences;
}

}  // namespace

TEST_CASE("The features of a translation", "[decode]") {
  Hypothesis hypothesis;
  hypothesis.tokens = {5, 6, 7};
  hypothesis.token_log_probabilities = {std::log(0.9F), std::log(0.25F), std::log(0.6F),
                                        std::log(0.8F)};
  const auto found = confidence_features({9, kUnknownId, 9, 9}, hypothesis);
  // Worked with a calculator: ln 0.9 = −0.10536, ln 0.25 = −1.38629, ln 0.6 = −0.51083 and
  // ln 0.8 = −0.22314.
  const ConfidenceFeatures expected = {-0.556406, 0.745927,  -1.386294, 0.501322,  0.6375,
                                       0.25,      -0.223144, 1.386294,  -0.223144, 0.2};
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO(kConfidenceFeatureNames[i]);
    CHECK(std::abs(found[i] - expected[i]) < 2e-6);
  }
}

TEST_CASE("Lengths compare in characters, not bytes", "[decode]") {
  CHECK(log_character_ratio("12345", "가나다라마") == 0.0);
  CHECK(std::abs(log_character_ratio("", "12345") - std::log(2.0)) < 1e-12);
}

TEST_CASE("A calibration is the optimum of the penalized likelihood", "[decode]") {
  const auto sentences = some_sentences(850);
  const auto fitted = fit_calibration(sentences);
  // Where the slope is zero: the residuals sum to nothing, and those along a feature to its weight.
  double all = 0.0;
  ConfidenceFeatures along{};
  for (const auto& sentence : sentences) {
    const double shrunk = (850 * sentence.chrf + 0.5) / 851;
    const double residual = shrunk - fitted.confidence(sentence.features);
    all += residual;
    for (size_t i = 0; i < kNumConfidenceFeatures; ++i) {
      const auto& [mean, deviation, weight] = fitted.features[i];
      along[i] += residual * (sentence.features[i] - mean) / deviation;
    }
  }
  CHECK(std::abs(all) < 1e-3);
  for (size_t i = 0; i < kNumConfidenceFeatures; ++i) {
    INFO(kConfidenceFeatureNames[i]);
    CHECK(std::abs(along[i] - fitted.features[i].weight) < 1e-3);
  }
  CHECK(std::abs(fitted.features[4].weight) < 1e-9);
  // Nearly the function that made the data; the penalty flattens it a little.
  for (const auto& sentence : sentences) {
    REQUIRE(std::abs(fitted.confidence(sentence.features) - sentence.chrf) < 0.02);
  }
  CHECK(std::abs(fitted.lengths.mean - 0.3) < 1e-12);
  CHECK(std::abs(fitted.lengths.deviation - 0.2) < 1e-12);
}

TEST_CASE("Perfect translations calibrate to a confidence just below 1", "[decode]") {
  auto sentences = some_sentences(100);
  for (auto& sentence : sentences) sentence.chrf = 1.0;
  const auto fitted = fit_calibration(sentences);
  CHECK(std::abs(fitted.confidence(sentences[3].features) - 1.0) < 0.01);
  CHECK(contains(error_of([] { fit_calibration(some_sentences(39)); }), "at least 40"));
}

TEST_CASE("Far from the calibrated sentences, features argue only against confidence", "[decode]") {
  // As fitted for models/sample: the mean's weight corrects that of its root.
  Calibration calibration;
  calibration.intercept = 4.35;
  calibration.features[0] = {-0.10, 0.056, -0.51};  // mean_log_probability
  calibration.features[1] = {0.31, 0.073, -0.65};   // mean_surprisal_root
  calibration.features[4] = {0.91, 0.032, 0.70};    // mean_probability
  const auto features_of = [](const std::vector<float>& log_probabilities) {
    Hypothesis hypothesis;
    hypothesis.token_log_probabilities = log_probabilities;
    return confidence_features({9, 9}, hypothesis);
  };
  const auto unlikely = features_of({-9.6F});
  CHECK(calibration.confidence(unlikely) > 0.99);
  CHECK(calibration.confidence(bounded_features(unlikely, calibration)) < 0.01);
  const auto ordinary = features_of({-0.1F, -0.2F, -0.05F});
  CHECK(bounded_features(ordinary, calibration) == ordinary);
}

}  // namespace nmt
