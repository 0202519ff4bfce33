#include "checkpoint/calibration.h"

#include <cmath>

#include "checkpoint/model_parts.h"
#include "checkpoint/pack.h"
#include "checkpoint/stored_model.h"
#include "files/file.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

Calibration some_calibration() {
  Calibration calibration;
  calibration.sentences = 77;
  calibration.chrf = 0.5;
  calibration.intercept = 1.0;
  calibration.features[0] = {-2.0, 0.5, 3.0};
  calibration.lengths = {0.1, 0.2};
  return calibration;
}

/// A copy of a stored model, calibrated.
struct CalibratedModel : TemporaryFolder {
  CalibratedModel() {
    fs::copy(fs::path(NMT_SOURCE_DIR) / "tests/models/version-2", path(),
             fs::copy_options::recursive);
    auto parts = read_parts({path()}, 2);
    parts.calibration = calibration_json(some_calibration());
    write_parts({path()}, parts);
  }
};

}  // namespace

TEST_CASE("A confidence is the logistic function of standardized features", "[checkpoint]") {
  ConfidenceFeatures values{};
  values[0] = -2.25;  // half a deviation below the mean: 1 − 3/2
  CHECK(std::abs(some_calibration().confidence(values) - 1 / (1 + std::exp(0.5))) < 1e-12);
}

TEST_CASE("A calibration is stored with the model, also in a packed file", "[checkpoint]") {
  const CalibratedModel model;
  CHECK(contains(read_file(model / "SHA256SUMS"), "  confidence.json"));
  const auto found = read_model(model.path()).calibration;
  REQUIRE(found.has_value());
  CHECK(found->sentences == 77);
  CHECK(found->features[0].mean == -2.0);
  CHECK(found->features[0].weight == 3.0);
  CHECK(found->lengths.deviation == 0.2);
  pack_model({model.path(), model / "packed", "f32", false});
  CHECK(read_model(model / "packed").calibration->intercept == 1.0);
  unpack_model({model / "packed", model / "unpacked", false});
  CHECK(read_model(model / "unpacked").calibration->intercept == 1.0);
}

TEST_CASE("A correlation that is not defined is null in a calibration", "[checkpoint]") {
  auto calibration = some_calibration();
  calibration.correlation = std::nan("");
  const auto json = calibration_json(calibration);
  CHECK(contains(json, "\"correlation\": null"));
  CHECK(std::isnan(parse_calibration(json, "x").correlation));
}

TEST_CASE("A missing calibration is none; a damaged one is one clear error", "[checkpoint]") {
  const CalibratedModel model;
  fs::remove(model / "confidence.json");
  CHECK_FALSE(read_model(model.path()).calibration.has_value());
  const CalibratedModel damaged;
  damaged.write("confidence.json", "{}");
  CHECK(contains(error_of([&] { read_model(damaged.path()); }),
                 "confidence.json: does not match SHA256SUMS"));
  for (const char* text :
       {"", "[]", "{}", "null", "{\"sentences\": -1}", "{\"sentences\": \"x\"}"}) {
    INFO(text);
    CHECK(contains(error_of([&] { parse_calibration(text, "confidence.json"); }),
                   "no valid 'sentences'; run nmt calibrate"));
  }
  auto wrong = some_calibration();
  wrong.features[3].deviation = 0.0;
  CHECK(contains(error_of([&] { parse_calibration(calibration_json(wrong), "x"); }),
                 "no valid 'features/deviation/deviation'"));
}

TEST_CASE("Parts without a calibration remove an old one", "[checkpoint]") {
  const CalibratedModel model;
  auto parts = read_parts({model.path()}, 2);
  parts.calibration.clear();
  write_parts({model.path()}, parts);
  CHECK_FALSE(fs::exists(model / "confidence.json"));
  CHECK_FALSE(read_model(model.path()).calibration.has_value());
}

}  // namespace nmt
