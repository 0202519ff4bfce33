#include "train/calibrate.h"

#include "checkpoint/stored_model.h"
#include "files/file.h"
#include "files/folder_lock.h"
#include "support/expect_error.h"
#include "support/imported_model.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"
#include "train/average.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

const fs::path kCalibratedModel = fs::path(NMT_SOURCE_DIR) / "tests/models/version-2";

/// A small model with texts to calibrate it on.
struct ModelWithTexts : TemporaryFolder {
  ModelWithTexts() {
    fs::copy(kCalibratedModel, model, fs::copy_options::recursive);
    std::string sources;
    std::string references;
    for (int i = 0; i < 60; ++i) {
      sources += std::string(static_cast<size_t>(1 + i % 7), 'a') + " b\n";
      references += std::string(static_cast<size_t>(1 + i % 5), 'x') + " y\n";
    }
    request.model = model;
    request.source = write("source", sources);
    request.reference = write("reference", references);
  }

  fs::path model = *this / "model";
  CalibrateRequest request;
};

}  // namespace

TEST_CASE("Calibrating repeats itself, mends a damaged file and needs enough sentences",
          "[train]") {
  ModelWithTexts texts;
  CHECK(contains(calibrate_model(texts.request), "calibrated on 60 sentences"));
  const auto written = read_file(texts.model / "confidence.json");
  CHECK(read_model(texts.model).calibration->sentences == 60);
  texts.write("model/confidence.json", "damaged");
  calibrate_model(texts.request);
  CHECK(read_file(texts.model / "confidence.json") == written);
  texts.request.source = texts.write("short", "a\nb\n");
  CHECK(contains(error_of([&] { calibrate_model(texts.request); }), "pair"));
  CHECK(read_file(texts.model / "confidence.json") == written);
  texts.request.reference = texts.write("short2", "a\nb\n");
  CHECK(contains(error_of([&] { calibrate_model(texts.request); }), "2 sentences are too few"));
  CHECK(read_file(texts.model / "confidence.json") == written);
  CHECK(read_model(texts.model).calibration->sentences == 60);
  const FolderLock training(texts.model);
  CHECK(contains(error_of([&] { calibrate_model(texts.request); }), "in use by another nmt"));
}

TEST_CASE("What translation returns as it is has no part in the calibration", "[train]") {
  const TemporaryFolder folder;
  const auto model = folder / "model";
  fs::copy(NMT_SOURCE_DIR "/models/sample", model, fs::copy_options::recursive);
  std::string korean;
  std::string english;
  std::string digits;
  for (int i = 0; i < 60; ++i) {
    korean += i < 50 ? "저는 책을 읽어요.\n" : "12:30\n";
    english += i < 50 ? "I read a book.\n" : "Noon.\n";
    digits += "1 2 3\n";
  }
  const auto source = folder.write("source", korean);
  const auto reference = folder.write("reference", english);
  CHECK(contains(calibrate_model({model, source, reference}), "calibrated on 50 sentences"));
  // Of a long text, lines from all of it.
  std::string long_source;
  std::string long_reference;
  for (int i = 0; i < 4000; ++i) {
    long_source += i < 3880 ? "12:30\n" : "저는 책을 읽어요.\n";
    long_reference += i < 3880 ? "Noon.\n" : "I read a book.\n";
  }
  CHECK(contains(calibrate_model({model, folder.write("long source", long_source),
                                  folder.write("long reference", long_reference)}),
                 "calibrated on 60 sentences"));
  // Lines without a reference have nothing to be compared with.
  english += "\n";
  korean += "저는 책을 읽어요.\n";
  CHECK(contains(
      calibrate_model({model, folder.write("source", korean), folder.write("reference", english)}),
      "calibrated on 50 sentences"));
  // A model of digits reads them.
  ModelWithTexts texts;
  texts.request.source = texts.write("source", digits);
  CHECK(contains(calibrate_model(texts.request), "calibrated on 60 sentences"));
}

TEST_CASE("References of a model that reads tokens may be tokens or text", "[train]") {
  const TemporaryFolder folder;
  const auto model = write_imported_model(folder / "model");
  std::string sources;
  std::string tokens;
  std::string text;
  for (int i = 0; i < 60; ++i) {
    sources += i % 2 == 0 ? "the ca@@ ts sle@@ ep .\n" : "a do@@ gs\n";
    tokens += i % 2 == 0 ? "die Kat@@ zen schla@@ fen .\n" : "ei@@ ne Hun@@ de\n";
    text += i % 2 == 0 ? "die Katzen schlafen .\n" : "eine Hunde\n";
  }
  const auto source = folder.write("source", sources);
  calibrate_model({model, source, folder.write("text", text)});
  const auto expected = read_file(model / "confidence.json");
  calibrate_model({model, source, folder.write("tokens", tokens)});
  CHECK(read_file(model / "confidence.json") == expected);
}

TEST_CASE("An average has no calibration: it would be that of other weights", "[train]") {
  const ModelWithTexts texts;
  calibrate_model(texts.request);
  average_models({{texts.model, kCalibratedModel}, texts / "mean"});
  CHECK_FALSE(read_model(texts / "mean").calibration.has_value());
}

}  // namespace nmt
