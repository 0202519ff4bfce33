#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace nmt {

/// The features that confidence is computed from (decode/confidence.h), by their names in
/// confidence.json.
constexpr std::array kConfidenceFeatureNames = {
    "mean_log_probability", "mean_surprisal_root", "lowest_log_probability", "deviation",
    "mean_probability",     "share_below_half",    "end_log_probability",    "log_length",
    "log_length_ratio",     "unknown_share"};
constexpr size_t kNumConfidenceFeatures = kConfidenceFeatureNames.size();
using ConfidenceFeatures = std::array<double, kNumConfidenceFeatures>;

/// Maps features of a search result to a confidence: a logistic regression of sentence chrF2 on
/// standardized features, fitted on a validation set. Stored as confidence.json
/// (docs/model-format.md).
struct Calibration {
  struct Feature {
    double mean = 0.0;  // on the validation set
    double deviation = 1.0;
    double weight = 0.0;  // of the standardized feature
  };

  /// Distribution of log((target characters + 5) / (source characters + 5)) in the validation set.
  struct LengthRatio {
    double mean = 0.0;
    double deviation = 1.0;
  };

  int64_t sentences = 0;     // number of sentences fitted on
  double chrf = 0.0;         // their mean sentence chrF2, from 0 to 1
  double correlation = 0.0;  // Pearson, of confidence and sentence chrF2 on them, or NaN
  double intercept = 0.0;
  std::array<Feature, kNumConfidenceFeatures> features;
  LengthRatio lengths;

  /// The expected sentence chrF2, from 0 to 1.
  double confidence(const ConfidenceFeatures& values) const;
};

/// Parses confidence.json. Throws Error, beginning with `name`, for anything else.
Calibration parse_calibration(const std::string& json, const std::string& name);

std::string calibration_json(const Calibration& calibration);

}  // namespace nmt
