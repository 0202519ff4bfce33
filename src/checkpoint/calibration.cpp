#include "checkpoint/calibration.h"

#include <cmath>

#include "errors/error.h"
#include "files/json.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Reads numbers of an object; each must be present and finite.
class NumberReader {
 public:
  NumberReader(const OrderedJson& object, const std::string& file) : object_(object), file_(file) {}

  double number(const char* key) const {
    const auto found = object_.is_object() ? object_.find(key) : object_.end();
    if (found == object_.end() || !found->is_number() || !std::isfinite(found->get<double>())) {
      refuse(key);
    }
    return found->get<double>();
  }

  double positive(const char* key) const {
    const double value = number(key);
    if (value <= 0) refuse(key);
    return value;
  }

  NumberReader object(const char* key) const {
    const auto found = object_.is_object() ? object_.find(key) : object_.end();
    if (found == object_.end()) refuse(key);
    return {*found, file_};
  }

 private:
  [[noreturn]] void refuse(const char* key) const {
    throw Error(file_ + ": no valid '" + key + "'; run nmt calibrate to write it again");
  }

  const OrderedJson& object_;
  const std::string& file_;
};

}  // namespace

double Calibration::confidence(const ConfidenceFeatures& values) const {
  double sum = intercept;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += features[i].weight * (values[i] - features[i].mean) / features[i].deviation;
  }
  return 1.0 / (1.0 + std::exp(-sum));
}

Calibration parse_calibration(const std::string& json, const std::string& name) {
  const auto parsed = parse_shallow_json(json);
  const NumberReader file(parsed, name);
  Calibration calibration;
  calibration.sentences = static_cast<int64_t>(file.positive("sentences"));
  calibration.chrf = file.number("chrf");
  calibration.correlation = file.number("correlation");
  calibration.intercept = file.number("intercept");
  const auto features = file.object("features");
  for (size_t i = 0; i < kNumConfidenceFeatures; ++i) {
    const auto feature = features.object(kConfidenceFeatureNames[i]);
    calibration.features[i] = {feature.number("mean"), feature.positive("deviation"),
                               feature.number("weight")};
  }
  const auto lengths = file.object("log_character_ratio");
  calibration.lengths = {lengths.number("mean"), lengths.positive("deviation")};
  return calibration;
}

std::string calibration_json(const Calibration& calibration) {
  OrderedJson features;
  for (size_t i = 0; i < kNumConfidenceFeatures; ++i) {
    const auto& [mean, deviation, weight] = calibration.features[i];
    features[kConfidenceFeatureNames[i]] = {
        {"mean", mean}, {"deviation", deviation}, {"weight", weight}};
  }
  const OrderedJson json = {
      {"sentences", calibration.sentences},
      {"chrf", calibration.chrf},
      {"correlation", calibration.correlation},
      {"intercept", calibration.intercept},
      {"features", features},
      {"log_character_ratio",
       {{"mean", calibration.lengths.mean}, {"deviation", calibration.lengths.deviation}}}};
  return dump_json(json, 2) + "\n";
}

}  // namespace nmt
