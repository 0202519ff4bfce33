#include "export/import.h"

#include <ATen/ATen.h>

#include <limits>

#include "checkpoint/safetensors.h"
#include "export/export.h"
#include "export/small_model.h"
#include "export/state_dict.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

/// A model, its weights in a file of their own, and the request that imports them.
struct Foreign {
  TemporaryFolder folder;
  Model model;
  ImportRequest request;

  explicit Foreign(const ModelConfig& config) : model(write_small_model(folder / "model", config)) {
    request.weights = folder / "foreign.safetensors";
    request.config = folder / "model/config.yaml";
    request.source_tokenizer = folder / "model/source.spm";
    request.target_tokenizer = folder / "model/target.spm";
    request.model_dir = folder / "imported";
    write_safetensors(request.weights, state_dict(model.network));
  }

  /// Imports the weights as `change` has left them.
  template <typename Change>
  std::string refused(Change&& change) {
    auto file = state_dict(model.network);
    change(file.tensors);
    write_safetensors(request.weights, file);
    const auto message = error_of([&] { import_model(request); });
    REQUIRE(message.find('\n') == std::string::npos);
    REQUIRE_FALSE(std::filesystem::exists(request.model_dir));
    return message;
  }
};

void require_same(const Seq2Seq& found, const Seq2Seq& expected, double tolerance = 0) {
  for (const auto& parameter : expected->named_parameters()) {
    INFO(parameter.key());
    REQUIRE(torch::allclose(found->named_parameters()[parameter.key()], parameter.value(),
                            /*rtol=*/0, tolerance));
  }
}

}  // namespace

TEST_CASE("Imported weights are the model's that they were taken from", "[export]") {
  for (const auto& config : model_shapes()) {
    INFO(description(config));
    Foreign foreign(config);
    REQUIRE(contains(import_model(foreign.request), "parameters"));
    const auto imported = load_model(foreign.request.model_dir, torch::kCPU);
    require_same(imported.network, foreign.model.network);
    REQUIRE(imported.source.bytes() == foreign.model.source.bytes());
    REQUIRE(contains(error_of([&] { import_model(foreign.request); }), "--overwrite"));
  }
}

TEST_CASE("What nmt export wrote needs no config", "[export]") {
  Foreign foreign(model_shapes()[3]);
  foreign.request.config.clear();
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }), "use --config FILE"));
  export_model({foreign.folder / "model", "safetensors", foreign.request.weights, true});
  import_model(foreign.request);
  require_same(load_model(foreign.request.model_dir, torch::kCPU).network, foreign.model.network);
}

TEST_CASE("Weights of any floating-point width are converted", "[export]") {
  for (const auto type : {torch::kHalf, torch::kBFloat16, torch::kDouble}) {
    Foreign foreign(model_shapes()[0]);
    auto file = state_dict(foreign.model.network);
    for (auto& entry : file.tensors) entry.tensor = entry.tensor.to(type);
    write_safetensors(foreign.request.weights, file);
    import_model(foreign.request);
    require_same(load_model(foreign.request.model_dir, torch::kCPU).network, foreign.model.network,
                 type == torch::kDouble ? 0 : 0.05);
  }
}

TEST_CASE("Tied matrices may stand under one name, and must agree under several", "[export]") {
  Foreign foreign(model_shapes()[1]);  // the target's embedding and output layer are one
  REQUIRE(contains(foreign.refused([](auto& tensors) {
    for (auto& entry : tensors) {
      if (entry.name == "emb_dec.weight") entry.tensor = entry.tensor + 1;
    }
  }),
                   "emb_dec.weight and generator.output.weight differ"));
  auto file = state_dict(foreign.model.network);
  const auto is_output = [](const auto& entry) { return entry.name == "generator.output.weight"; };
  file.tensors.erase(std::find_if(file.tensors.begin(), file.tensors.end(), is_output));
  write_safetensors(foreign.request.weights, file);
  import_model(foreign.request);
  require_same(load_model(foreign.request.model_dir, torch::kCPU).network, foreign.model.network);
}

TEST_CASE("Weights that do not fit are refused with what was expected", "[export]") {
  Foreign foreign(model_shapes()[0]);
  const auto missing = foreign.refused([](auto& tensors) { tensors.pop_back(); });
  REQUIRE(contains(missing, "generator.output.bias is missing (expected [80])"));
  REQUIRE(contains(missing, "config.yaml and the tokenizers"));
  REQUIRE(contains(foreign.refused([](auto& tensors) { tensors.clear(); }), "and 15 more"));
  REQUIRE(contains(foreign.refused([](auto& tensors) {
    tensors.push_back({"attn.linear.bias", torch::ones({12})});
  }),
                   "attn.linear.bias is unexpected"));
  REQUIRE(contains(foreign.refused([](auto& tensors) {
    tensors[0].tensor = torch::ones({80, 11});
  }),
                   "emb_src.weight has shape [80, 11] (expected [80, 10])"));
  REQUIRE(contains(foreign.refused([](auto& tensors) {
    tensors[0].tensor = torch::ones({80, 10}, torch::kLong);
  }),
                   "emb_src.weight is of dtype Long"));
  REQUIRE(contains(foreign.refused([](auto& tensors) {
    tensors[0].tensor = torch::full({80, 10}, 1e300, torch::kDouble);
  }),
                   "emb_src.weight holds numbers that are not finite"));
  REQUIRE(contains(foreign.refused([](auto& tensors) {
    tensors[0].tensor[3][3] = std::numeric_limits<float>::quiet_NaN();
  }),
                   "not finite"));
}

TEST_CASE("A config of another size is refused before its size is allocated", "[export]") {
  Foreign foreign(model_shapes()[0]);
  foreign.request.config =
      foreign.folder.write("huge.yaml", "model: {hidden_size: 16384, embedding_size: 10}");
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }), "hidden_size 16384"));
  foreign.request.config = foreign.folder.write("odd.yaml", "model: {hidden_size: 13}");
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }), "model.hidden_size"));
  foreign.request.config = foreign.folder / "absent.yaml";
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }), "absent.yaml"));
  REQUIRE_FALSE(std::filesystem::exists(foreign.request.model_dir));
}

TEST_CASE("An import leaves alone what is not a model's, and nothing of its own when it fails",
          "[export]") {
  Foreign foreign(model_shapes()[0]);
  std::filesystem::create_directory(foreign.request.model_dir);
  foreign.folder.write("imported/notes.txt", "mine");
  import_model(foreign.request);
  REQUIRE(read_file(foreign.request.model_dir / "notes.txt") == "mine");
  foreign.request.model_dir = "/proc/nowhere/model";
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }), "cannot be"));
  foreign.request.model_dir = foreign.request.weights;
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }), "is a file"));
}

}  // namespace nmt
