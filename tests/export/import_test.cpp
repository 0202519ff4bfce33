#include "export/import.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "checkpoint/pack.h"
#include "checkpoint/safetensors.h"
#include "checkpoint/weights.h"
#include "decode/forced_scoring.h"
#include "errors/error.h"
#include "export/export.h"
#include "export/pickle.h"
#include "export/small_model.h"
#include "export/torch_file.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

TensorFile weights_of(const Model& model) {
  return {{}, pack_weights(model.network, Precision::kF32), ""};
}

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
    write_safetensors(request.weights, weights_of(model));
  }

  /// Imports the weights as `change` has left them.
  template <typename Change>
  std::string refused(Change&& change) {
    auto file = weights_of(model);
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
    auto file = weights_of(foreign.model);
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
  auto file = weights_of(foreign.model);
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

TEST_CASE("A model that copies is imported with one vocabulary", "[export]") {
  for (auto config : model_shapes()) {
    if (!config.copy) continue;
    config.tied_embeddings = TiedEmbeddings::kNone;
    Foreign foreign(config);
    foreign.request.source_tokenizer = NMT_SOURCE_DIR "/models/sample/source.spm";
    REQUIRE(contains(foreign.refused([](auto&) {}), "model.copy: needs one vocabulary; use"));
  }
}

TEST_CASE("A config of another size is refused before its size is allocated", "[export]") {
  Foreign foreign(model_shapes()[0]);
  foreign.request.config =
      foreign.folder.write("huge.yaml", "model: {hidden_size: 16384, embedding_size: 10}");
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }),
                   "encoder.rnn.weight_ih_l0 has shape"));
  foreign.request.config = foreign.folder.write("odd.yaml", "model: {hidden_size: 13}");
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }), "model.hidden_size"));
  foreign.request.config = foreign.folder / "absent.yaml";
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }), "absent.yaml"));
  REQUIRE_FALSE(std::filesystem::exists(foreign.request.model_dir));
}

TEST_CASE("What is no weights file is refused before its vocabularies are asked for", "[export]") {
  const TemporaryFolder folder;
  write_small_model(folder / "model", model_shapes()[0]);
  ImportRequest request;
  request.model_dir = folder / "imported";
  const auto refused = [&](const std::filesystem::path& weights) {
    request.weights = weights;
    return error_of([&] { import_model(request); });
  };
  REQUIRE(contains(refused(folder.write("text", "one two three four\n")),
                   "text: neither a safetensors file nor a model of OpenNMT-py or simple-nmt"));
  pack_model({folder / "model", folder / "packed.nmt"});
  REQUIRE(contains(refused(folder / "packed.nmt"), "packed.nmt: a packed model, which needs no"));
  ExportRequest exported;
  exported.model_dir = folder / "model";
  exported.output = folder / "model.pt";
  exported.format = "torchscript";
  export_model(exported);
  REQUIRE(contains(refused(folder / "model.pt"), "model.pt: a TorchScript program, which cannot"));
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

TEST_CASE("An import replaces nothing that it reads", "[export]") {
  Foreign foreign(model_shapes()[0]);
  foreign.request.model_dir = foreign.folder / "model";
  foreign.request.overwrite = true;
  const auto before = read_file(foreign.request.config);
  REQUIRE(contains(error_of([&] { import_model(foreign.request); }),
                   "config.yaml: lies in " + foreign.request.model_dir.string() +
                       ", where it would be replaced; use another --output"));
  REQUIRE(read_file(foreign.request.config) == before);
}

namespace {

const std::string kFixture = NMT_SOURCE_DIR "/tests/export/simple_nmt";

}  // namespace

TEST_CASE("A model of simple-nmt scores as its equations in PyTorch", "[export]") {
  const TemporaryFolder folder;
  ImportRequest request;
  request.weights = kFixture + ".pth";
  request.model_dir = folder / "imported";
  REQUIRE(contains(import_model(request), "vocabularies of 8 and 8 pieces"));
  auto model = load_model(request.model_dir, torch::kCPU);
  REQUIRE(model.target.decode(model.target.encode("i read books .")) == "i read books .");
  REQUIRE(model.source.encode(" 책을 펴  .") == std::vector<int32_t>{5, kUnknownId, 7});
  const auto cases = nlohmann::json::parse(read_file(kFixture + ".json"));
  REQUIRE(cases.size() == 2);
  const c10::InferenceMode no_gradients;
  for (const auto& expected : cases) {
    const auto source = model.source.encode(expected["source"].get<std::string>());
    const auto target = model.target.encode(expected["target"].get<std::string>());
    double sum = 0;
    for (const auto& log_probability : expected["log_probabilities"]) {
      sum += log_probability.get<double>();
    }
    const auto found = score_batch(model.network, make_batch({source}, {target})).front();
    REQUIRE(std::abs(found - sum) < 1e-4);
  }
  request.source_tokenizer = request.weights;
  request.overwrite = true;
  REQUIRE(contains(error_of([&] { import_model(request); }), "omit --config"));
}

TEST_CASE("A file of torch.save may have the index of one above 4 GB", "[export]") {
  const TemporaryFolder folder;
  const auto good = read_file(kFixture + ".pth");
  const auto end = good.rfind("PK\5\6");
  const auto bytes = [](uint64_t value, size_t count) {
    return std::string(reinterpret_cast<const char*>(&value), count);
  };
  // zip64's end of the index, where it is, and the usual end, whose numbers are at their limits
  auto index = "PK\6\6" + bytes(44, 8) + bytes(45 << 16 | 45, 4) + bytes(0, 8);
  for (const size_t count : {8, 10}) index += good.substr(end + count, 2) + bytes(0, 6);
  for (const size_t size : {12, 16}) index += good.substr(end + size, 4) + bytes(0, 4);
  index += "PK\6\7" + bytes(0, 4) + bytes(end, 8) + bytes(1, 4);
  index += "PK\5\6" + bytes(0, 4) + std::string(12, '\xFF') + bytes(0, 2);
  ImportRequest request;
  request.weights = folder.write("large.pth", good.substr(0, end) + index);
  request.model_dir = folder / "imported";
  REQUIRE(contains(import_model(request), "vocabularies of 8 and 8 pieces"));
}

TEST_CASE("The tensors of a file of torch.save share its bytes only so often", "[export]") {
  const TorchFile file(kFixture + ".pth");
  const auto* weight = file.root().find("model")->find("emb_src.weight");
  const auto take = [&](int times) {
    for (int i = 0; i < times; ++i) file.tensor(*weight, "weight");
  };
  take(3);
  REQUIRE(contains(error_of([&] { take(100000); }),
                   "simple_nmt.pth: its tensors share more bytes than it has"));
}

TEST_CASE("Damaged and hostile files of torch.save are refused", "[export]") {
  const TemporaryFolder folder;
  const auto good = read_file(kFixture + ".pth");
  ImportRequest request;
  request.model_dir = folder / "imported";
  const auto refused = [&](const std::string& bytes) {
    request.weights = folder.write("bad.pth", bytes);
    const auto message = error_of([&] { import_model(request); });
    REQUIRE(message.find('\n') == std::string::npos);
    return message;
  };
  const auto replaced = [&](std::string what, const std::string& with) {
    auto bytes = good;
    REQUIRE(what.size() == with.size());
    bytes.replace(bytes.find(what), what.size(), with);
    return refused(bytes);
  };
  REQUIRE(contains(replaced("cargparse\nNamespace\n", "cposix\nsystem......\n"),
                   "holds posix.system......, which a translation model does not need"));
  REQUIRE(contains(replaced("cargparse\nNamespace\n", "cposix\n\x1b[2Jsystem..\n"),
                   "holds posix.\uFFFD[2Jsystem.., which"));
  REQUIRE(contains(replaced("emb_src.weight", "emb_xrc.weight"), "emb_src.weight"));
  for (size_t size = 8; size < good.size(); size += 97) refused(good.substr(0, size));
  // Any one byte of the pickle may be wrong: an error or a model, never a crash.
  const auto begin = good.find("\x80\x02");
  for (size_t at = begin; at < begin + 2500; at += 7) {
    auto bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    request.weights = folder.write("bad.pth", bytes);
    try {
      Pickle(std::string_view(bytes).substr(begin), "pickle");
      import_model(request);
      std::filesystem::remove_all(request.model_dir);
    } catch (const Error&) {
      REQUIRE_FALSE(std::filesystem::exists(request.model_dir));
    }
  }
}

}  // namespace nmt
