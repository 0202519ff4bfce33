#include "train/training_outcome.h"

#include <nlohmann/json.hpp>

#include "files/file.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {

TEST_CASE("The summary of a run has the hashes of its beginning", "[train]") {
  RunFingerprint run;
  auto& data = run.settings.data;
  data.train_source = {"gone.de", "too.de"};
  data.train_target = {"gone.en", "too.en"};
  data.valid_source = "valid.de";
  data.valid_target = "valid.en";
  run.content = {{"training source text", "1"},   {"training source text 2", "2"},
                 {"training target text", "3"},   {"training target text 2", "4"},
                 {"validation source text", "5"}, {"validation target text", "6"}};
  const TemporaryFolder folder;
  write_training_summary(folder / "training.json", run, {}, 1, {});
  const auto summary = nlohmann::json::parse(read_file(folder / "training.json"));
  CHECK(summary.at("train_source")[0].at("path") == "gone.de");
  CHECK(summary.at("train_source")[0].at("sha256") == "1");
  CHECK(summary.at("train_source")[1].at("sha256") == "2");
  CHECK(summary.at("train_target")[0].at("sha256") == "3");
  CHECK(summary.at("train_target")[1].at("sha256") == "4");
  CHECK(summary.at("valid_source").at("sha256") == "5");
  CHECK(summary.at("valid_target").at("sha256") == "6");
}

}  // namespace nmt
