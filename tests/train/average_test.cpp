#include "train/average.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

#include "checkpoint/model.h"
#include "files/file.h"
#include "support/expect_error.h"
#include "support/log_capture.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"
#include "text/protobuf.h"
#include "train/runs/run_state.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

const fs::path kStored = fs::path(NMT_SOURCE_DIR) / "tests/models";
const fs::path kModel = kStored / "version-2";

torch::OrderedDict<std::string, torch::Tensor> parameters_of(const fs::path& path) {
  return load_model(path, torch::kCPU).network->named_parameters();
}

void require_equal(const fs::path& found, const fs::path& expected_model) {
  const auto expected = parameters_of(expected_model);
  for (const auto& parameter : parameters_of(found)) {
    REQUIRE(torch::equal(parameter.value(), expected[parameter.key()]));
  }
}

/// A directory whose run kept two best and two latest checkpoints, one of them both.
struct KeptRun : TemporaryFolder {
  KeptRun() {
    fs::copy(kModel, *this / "model", fs::copy_options::recursive);
    fs::create_directory(*this / "model/checkpoints");
    keep(4, "version-2");
    keep(10, "version-1");
    keep(12, "version-1");
  }
  void keep(int64_t update, const std::string& weights) const {
    fs::copy(kStored / weights / "model.safetensors",
             *this / ("model/checkpoints/update-" + std::to_string(update) + ".safetensors"));
  }
  void list(const nlohmann::json& best, const nlohmann::json& latest) const {
    RunState state;
    state.progress = {{"checkpoints", {{"best", best}, {"latest", latest}}}};
    write_run_state(*this / "model/training_state.safetensors", state);
  }
};

}  // namespace

TEST_CASE("An average is the mean of every weight", "[train]") {
  const TemporaryFolder folder;
  average_models({{kModel, kStored / "version-1", kModel}, folder / "mean"});
  const auto first = parameters_of(kModel);
  const auto second = parameters_of(kStored / "version-1");
  for (const auto& parameter : parameters_of(folder / "mean")) {
    const auto expected = (2 * first[parameter.key()] + second[parameter.key()]) / 3;
    REQUIRE(torch::allclose(parameter.value(), expected, 1e-6, 1e-7));
  }
}

TEST_CASE("Models of different seeds are averaged with a warning", "[train]") {
  const TemporaryFolder folder;
  const LogCapture log;
  average_models({{kModel, kModel}, folder / "same"});
  REQUIRE(log.text().empty());
  average_models({{kModel, kModel, kStored / "version-1"}, folder / "mean"});
  const auto both = (kStored / "version-1").string() + " and " + kModel.string();
  REQUIRE(contains(log.text(), both + ": seem to be trained independently (cosine of their "
                                      "weights -0.01)"));
}

TEST_CASE("One directory stands for its best checkpoints, with --last for the latest", "[train]") {
  const KeptRun run;
  run.list({{{"value", 2.0}, {"update", 4}}, {{"value", 3.0}, {"update", 10}}}, {10, 12});
  REQUIRE(contains(average_models({{run / "model"}, run / "best"}), "2 best checkpoints"));
  average_models({{kModel, kStored / "version-1"}, run / "mean"});
  require_equal(run / "best", run / "mean");
  REQUIRE(contains(average_models({{run / "model"}, run / "latest", false, true}), "2 latest"));
  require_equal(run / "latest", kStored / "version-1");
}

TEST_CASE("A directory with too few checkpoints says which setting keeps more", "[train]") {
  const KeptRun run;
  const auto message = [&](bool last) {
    return error_of([&] { average_models({{run / "model"}, run / "x", false, last}); });
  };
  REQUIRE(contains(message(false), "training_state.safetensors is missing"));
  run.list({{{"value", 2.0}, {"update", 4}}}, nlohmann::json::array());
  REQUIRE(contains(message(false), "keeps only 1 of the best checkpoints; train with --keep-best"));
  REQUIRE(
      contains(message(true), "keeps only 0 of the latest checkpoints; train with --keep-last"));
}

TEST_CASE("Models with vocabularies trained by other numbers of threads are averaged", "[train]") {
  const TemporaryFolder folder;
  const auto other = folder / "other";
  fs::copy(kStored / "version-1", other, fs::copy_options::recursive);
  std::ofstream(other / "source.spm", std::ios::binary | std::ios::app)
      << bytes_field(2, number_field(16, 7));  // num_threads of the trainer
  average_models({{kStored / "version-1", other}, folder / "mean"});
  require_equal(folder / "mean", other);
  REQUIRE(read_file(folder / "mean/source.spm") == read_file(kStored / "version-1/source.spm"));
}

TEST_CASE("Models whose embeddings started with other deviations are averaged", "[train]") {
  const TemporaryFolder folder;
  const auto other = folder / "other";
  fs::copy(kStored / "version-1", other, fs::copy_options::recursive);
  auto config = read_file(other / "config.yaml");
  const std::string deviation = "embedding_init_std: 1\n";
  config.replace(config.find(deviation), deviation.size(), "embedding_init_std: 0.06\n");
  folder.write("other/config.yaml", config);
  average_models({{kStored / "version-1", other}, folder / "mean"});
  require_equal(folder / "mean", other);
}

TEST_CASE("An average replaces none of its models", "[train]") {
  const TemporaryFolder folder;
  const auto model = folder / "model";
  fs::copy(kModel, model, fs::copy_options::recursive);
  REQUIRE(contains(error_of([&] {
                     average_models({{kStored / "version-1", model}, model, true});
                   }),
                   "model: used as input and output; use another file or directory"));
  require_equal(model, kModel);
}

TEST_CASE("Models that differ in kind are not averaged", "[train]") {
  const TemporaryFolder folder;
  const auto sample = fs::path(NMT_SOURCE_DIR) / "models/sample";
  REQUIRE(contains(error_of([&] {
                     average_models({{kModel, sample}, folder / "x"});
                   }),
                   "same vocabularies"));
  REQUIRE_FALSE(fs::exists(folder / "x"));
}

}  // namespace nmt
