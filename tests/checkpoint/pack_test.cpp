#include "checkpoint/pack.h"

#include <ATen/ATen.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "checkpoint/model.h"
#include "checkpoint/weights.h"
#include "files/file.h"
#include "info/model_info.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

const fs::path kStored = fs::path(NMT_SOURCE_DIR) / "tests/models";
const fs::path kModel = kStored / "version-2";

torch::OrderedDict<std::string, torch::Tensor> parameters_of(const fs::path& path) {
  return load_model(path, torch::kCPU).network->named_parameters();
}

void require_close(const fs::path& path, double largest_relative_error) {
  const auto expected = parameters_of(kModel);
  for (const auto& parameter : parameters_of(path)) {
    const auto& value = expected[parameter.key()];
    const auto rows = value.dim() == 2 ? value.abs().amax(1, /*keepdim=*/true) : value.abs();
    INFO(parameter.key());
    REQUIRE(((parameter.value() - value).abs() <= rows * largest_relative_error + 1e-8)
                .all()
                .item<bool>());
  }
}

}  // namespace

TEST_CASE("A packed model is the model, as exactly as its precision says", "[checkpoint]") {
  const TemporaryFolder folder;
  for (const char* precision : {"f32", "f16", "int8"}) {
    pack_model({kModel, folder / precision, precision, false});
  }
  require_close(folder / "f32", 0.0);
  require_close(folder / "f16", 1.0 / 2048);
  require_close(folder / "int8", 0.5001 / 127);
  const auto size = [&](const char* name) { return fs::file_size(folder / name); };
  REQUIRE(size("f16") < size("f32") - 7000);
  REQUIRE(size("int8") < size("f16"));
  const auto packed = load_model(folder / "int8", torch::kCPU);
  REQUIRE(packed.source.bytes() == read_file(kModel / "source.spm"));
  REQUIRE(packed.target.bytes() == read_file(kModel / "target.spm"));
  REQUIRE(packed.settings.model.hidden_size == 16);
  const auto info = describe_model(folder / "int8").dump();
  REQUIRE(contains(info, "pairs_kept"));
  REQUIRE(contains(info, "\"parameters\":4126"));
}

TEST_CASE("Packing and unpacking loses nothing", "[checkpoint]") {
  const TemporaryFolder folder;
  pack_model({kModel, folder / "x.nmt", "f32", false});
  unpack_model({folder / "x.nmt", folder / "again"});
  for (const char* file : {"config.yaml", "source.spm", "target.spm", "training.json"}) {
    REQUIRE(read_file(folder / "again" / file) == read_file(kModel / file));
  }
  require_close(folder / "again", 0.0);
  REQUIRE(contains(error_of([&] {
                     unpack_model({folder / "x.nmt", folder / "again"});
                   }),
                   "again: already holds a model; use --overwrite to replace it"));
  folder.write("again/training_state.safetensors", "of an older run");
  folder.write("again/notes", "mine");
  REQUIRE(contains(error_of([&] {
                     unpack_model({kModel, folder / "again", true});
                   }),
                   "again: holds a training run, which would be deleted"));
  fs::remove(folder / "again/training_state.safetensors");
  folder.write("again/metrics.jsonl", "of an older run");
  unpack_model({kModel, folder / "again", true});
  require_close(folder / "again", 0.0);
  REQUIRE_FALSE(fs::exists(folder / "again/metrics.jsonl"));
  REQUIRE(read_file(folder / "again/notes") == "mine");
  REQUIRE(contains(error_of([&] {
                     pack_model({kModel, folder / "x.nmt", "f32", false});
                   }),
                   "--overwrite"));
  REQUIRE(contains(error_of([&] {
                     pack_model({kModel, folder / "y", "int4", false});
                   }),
                   "f32, f16 or int8"));
}

TEST_CASE("Values that a precision cannot hold are refused by name", "[checkpoint]") {
  Seq2SeqOptions options;
  options.source_vocabulary_size = options.target_vocabulary_size = 5;
  options.embedding_size = options.hidden_size = 4;
  Seq2Seq network = make_seq2seq(options);
  const at::NoGradGuard no_gradients;
  auto bias = network->named_parameters()["concat.bias"];
  auto matrix = network->named_parameters()["concat.weight"];
  matrix[0].zero_();
  REQUIRE_NOTHROW(pack_weights(network, Precision::kInt8));  // a row of zeros
  bias[1] = 1e6;
  REQUIRE(contains(error_of([&] { pack_weights(network, Precision::kF16); }), "concat.bias"));
  matrix[1][2] = NAN;
  REQUIRE(contains(error_of([&] { pack_weights(network, Precision::kInt8); }), "concat.weight"));
}

}  // namespace nmt
