#include "checkpoint/calibration.h"

#include <cmath>

#include "errors/error.h"
#include "files/json.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

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
  const auto number = [&](const std::string& place, bool positive = false) {
    const OrderedJson::json_pointer pointer("/" + place);
    const auto found = parsed.contains(pointer) ? parsed.at(pointer) : OrderedJson();
    const double value = found.is_number() ? found.get<double>() : std::nan("");
    if (std::isfinite(value) && (!positive || value > 0)) return value;
    throw Error(name + ": no valid '" + place + "'; run nmt calibrate to write it again");
  };
  Calibration calibration;
  calibration.sentences = static_cast<int64_t>(number("sentences", true));
  calibration.chrf = number("chrf");
  const bool undefined = parsed.contains("correlation") && parsed.at("correlation").is_null();
  calibration.correlation = undefined ? std::nan("") : number("correlation");
  calibration.intercept = number("intercept");
  for (size_t i = 0; i < kNumConfidenceFeatures; ++i) {
    const auto feature = std::string("features/") + kConfidenceFeatureNames[i];
    calibration.features[i] = {number(feature + "/mean"), number(feature + "/deviation", true),
                               number(feature + "/weight")};
  }
  calibration.lengths = {number("log_character_ratio/mean"),
                         number("log_character_ratio/deviation", true)};
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
