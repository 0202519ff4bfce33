#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint/calibration.h"
#include "decode/hypothesis.h"

namespace nmt {

/// The features of one translation from a search with SearchOptions::scores.
ConfidenceFeatures confidence_features(const std::vector<int32_t>& source,
                                       const Hypothesis& hypothesis);

/// Limits each feature, on the side that raises confidence, to kMaxDeviations deviations from the
/// calibration's mean: weights of correlated features have opposite signs and cancel out only near
/// the sentences that they were fitted on. Values that lower confidence count in full.
ConfidenceFeatures bounded_features(ConfidenceFeatures features, const Calibration& calibration);

/// log((target characters + 5) / (source characters + 5)): without the addition, the ratio of
/// short texts would vary far more than that of long ones.
double log_character_ratio(const std::string& source, const std::string& target);

/// A sentence of a validation set, translated.
struct CalibrationSentence {
  ConfidenceFeatures features;
  double chrf = 0.0;          // of the translation, from 0 to 1
  double length_ratio = 0.0;  // log_character_ratio of source and reference
};

constexpr size_t kMinCalibrationSentences = 40;

/// Fits everything but Calibration::correlation. Throws Error for fewer than
/// kMinCalibrationSentences.
Calibration fit_calibration(const std::vector<CalibrationSentence>& sentences);

}  // namespace nmt
