#include "checkpoint/model_files.h"

#include <ATen/ATen.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "checkpoint/model.h"
#include "checkpoint/safetensors.h"
#include "checkpoint/stored_model.h"
#include "files/file.h"
#include "files/sha256.h"
#include "info/model_info.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

const fs::path kModels = fs::path(NMT_SOURCE_DIR) / "tests/models";

/// A copy of a stored model that a test may damage.
class DamagedModel {
 public:
  explicit DamagedModel(const std::string& name = "version-2") : path(folder_ / "model") {
    fs::copy(kModels / name, path, fs::copy_options::recursive);
  }

  DamagedModel& write(const std::string& file, const std::string& content) {
    write_file_atomically(path / file, content);
    return *this;
  }

  DamagedModel& replace(const std::string& file, const std::string& old, const std::string& with) {
    auto content = read_file(path / file);
    const size_t at = content.find(old);
    REQUIRE(at != std::string::npos);
    return write(file, content.replace(at, old.size(), with));
  }

  /// What someone who means harm would do too.
  DamagedModel& sum() {
    std::string sums;
    for (const char* file : {"config.yaml", "source.spm", "target.spm"}) {
      sums += sha256_of_file(path / file) + "  " + file + "\n";
    }
    return write("SHA256SUMS", sums);
  }

  std::string refusal() const {
    const auto message = error_of([&] { load_model(path, torch::kCPU); });
    INFO(message);
    CHECK(message.find('\n') == std::string::npos);
    CHECK(contains(message, path.string()));
    return message;
  }

 private:
  TemporaryFolder folder_;

 public:
  const fs::path path;
};

TensorFile sample_weights() { return read_safetensors(kModels / "version-2/model.safetensors"); }

}  // namespace

TEST_CASE("A flipped bit in any file of a model is noticed", "[checkpoint]") {
  for (const char* file : {"config.yaml", "source.spm", "target.spm", "model.safetensors"}) {
    const auto whole = read_file(kModels / "version-2" / file);
    for (size_t at = 0; at < whole.size(); at += 1 + whole.size() / 40) {
      auto damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      DamagedModel().write(file, damaged).refusal();
    }
  }
}

TEST_CASE("A model with settings of a newer nmt is used unless they describe its network",
          "[checkpoint]") {
  for (const std::string section : {"data", "train", "validation", "model", "vocab"}) {
    INFO(section);
    DamagedModel model;
    const auto name = "\n" + section + ":\n";
    model.replace("config.yaml", name, name + "  future: 3\n").sum();
    if (section == "model" || section == "vocab") {
      CHECK(contains(model.refusal(), section + ".future: a setting of a newer nmt; update nmt"));
      CHECK_FALSE(stored_model_config(model.path).has_value());
    } else {
      CHECK_NOTHROW(load_model(model.path, torch::kCPU));
      CHECK_NOTHROW(describe_model(model.path));
      CHECK(stored_model_config(model.path).has_value());
    }
  }
}

TEST_CASE("A flipped bit anywhere in a packed model is noticed", "[checkpoint]") {
  const auto whole = read_file(kModels / "version-2-int8.nmt");
  for (size_t at = 0; at < whole.size(); at += 131) {
    auto damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    const TemporaryFolder folder;
    const auto path = folder.write("x.nmt", damaged);
    REQUIRE(contains(error_of([&] { load_model(path, torch::kCPU); }), path.string()));
    const auto cut = folder.write("y.nmt", whole.substr(0, at));
    REQUIRE(contains(error_of([&] { load_model(cut, torch::kCPU); }), cut.string()));
  }
}

TEST_CASE("Files that lack, or that were edited, say what to do", "[checkpoint]") {
  DamagedModel edited;
  edited.replace("config.yaml", "dropout: 0", "dropout: 1e-3");
  REQUIRE(contains(edited.refusal(), "sha256sum config.yaml"));
  REQUIRE_NOTHROW(load_model(edited.sum().path, torch::kCPU));
  for (const char* file : {"config.yaml", "source.spm", "model.safetensors", "SHA256SUMS"}) {
    DamagedModel model;
    fs::remove(model.path / file);
    REQUIRE(contains(model.refusal(), file));
  }
  DamagedModel without_sums("version-1");
  REQUIRE_NOTHROW(load_model(without_sums.path, torch::kCPU));  // that version had none
}

TEST_CASE("Settings that cannot be, or do not fit the weights, are refused", "[checkpoint]") {
  const auto refusal = [](const std::string& old, const std::string& with) {
    return DamagedModel().replace("config.yaml", old, with).sum().refusal();
  };
  REQUIRE(contains(refusal("hidden_size: 16", "hidden_size: 16384"), "has shape"));
  REQUIRE(contains(refusal("hidden_size: 16", "hidden_size: 4611686018427387904"), "out of range"));
  REQUIRE(contains(refusal("hidden_size: 16", "hidden_size: 15"), "even"));
  REQUIRE(contains(refusal("hidden_size: 16", "hidden_size: -2"), "out of range"));
  REQUIRE(contains(refusal("embedding_size: 8", "embedding_size: 0"), "from 1 to"));
  REQUIRE(contains(refusal("embedding_size: 8", "embedding_size: 999999999"), "from 1 to"));
  REQUIRE(contains(refusal("num_layers: 1", "num_layers: 999999999"), "num_layers"));
  REQUIRE(contains(refusal("num_layers: 1", "num_layers: 1\n  decoder_layers: 999999999"),
                   "decoder_layers"));
  REQUIRE(contains(refusal("num_layers: 1", "num_layers: 2"), "is missing"));
  REQUIRE(contains(refusal("\n  cell: gru", "\n  cell: lstm"), "has shape"));
  REQUIRE(contains(refusal("input_feeding: true", "input_feeding: false"), "has shape"));
  REQUIRE(contains(refusal("model:\n", "modle:\n"), "modle: a setting of a newer nmt"));
}

TEST_CASE("A stored model of an unknown kind is refused, not taken for another", "[checkpoint]") {
  const auto refusal = [](const std::string& old, const std::string& with) {
    return DamagedModel().replace("config.yaml", old, with).sum().refusal();
  };
  REQUIRE(contains(refusal("\n  cell: gru", "\n  cell: gru\n  architecture: mamba"),
                   "model.architecture: 'mamba' is none of recurrent, transformer, "
                   "language_model; if a newer nmt wrote this, update nmt"));
  REQUIRE(contains(refusal("metric: bleu", "metric: comet"),
                   "validation.metric: 'comet' is none of loss, perplexity, bleu, chrf"));
  REQUIRE(contains(refusal("\n  cell: gru", "\n  cell: gru\n  attention: linear"),
                   "model.attention: 'linear' is none of none, dot, general"));
  REQUIRE(contains(refusal("tied_embeddings: none", "tied_embeddings: some"),
                   "model.tied_embeddings: 'some' is none of none, target, all"));
}

TEST_CASE("Hostile settings are refused in one line", "[checkpoint]") {
  for (const auto& yaml :
       {std::string(100000, '['), std::string(100000, '{'), std::string("a: &a [*a]"),
        std::string("model: {hidden_size: &h [*h]}"), std::string("\xFF\xFE"),
        std::string("model:\n  , x"), std::string("a\0b", 3), std::string(5 << 20, 'x'),
        std::string("model: |"), std::string("---\n---\n")}) {
    DamagedModel().write("config.yaml", yaml).sum().refusal();
  }
}

TEST_CASE("Hostile tokenizers are refused in one line", "[checkpoint]") {
  const auto good = read_file(kModels / "version-2/source.spm");
  for (const auto& bytes : {std::string(), std::string("\n"), std::string(1000, '\xFF'),
                            good.substr(0, good.size() / 2), good + '\x1A'}) {
    DamagedModel().write("source.spm", bytes).sum().refusal();
  }
  const auto other = read_file(fs::path(NMT_SOURCE_DIR) / "models/sample/target.spm");
  REQUIRE(contains(DamagedModel().write("target.spm", other).sum().refusal(), "[ 814, 8 ]") ==
          false);
  REQUIRE(contains(DamagedModel().write("target.spm", other).sum().refusal(), "has shape"));
}

TEST_CASE("Weights of a wrong kind are refused by name", "[checkpoint]") {
  const auto refusal = [](auto&& change) {
    auto file = sample_weights();
    change(file);
    DamagedModel model;
    write_safetensors(model.path / "model.safetensors", file);
    return model.refusal();
  };
  const auto as = [&](const torch::Tensor& tensor) {
    return refusal([&](TensorFile& file) { file.tensors.front().tensor = tensor; });
  };
  REQUIRE(contains(as(torch::ones({14, 8}, at::kInt)), "stored as I32"));
  REQUIRE(contains(as(torch::ones({14, 8}, at::kBool)), "stored as BOOL"));
  REQUIRE(contains(as(torch::ones({14, 8}, at::kChar)), "emb_src.weight.scale is missing"));
  REQUIRE(contains(as(torch::ones({8, 14})), "has shape [8, 14]"));
  REQUIRE(contains(as(torch::ones({}, at::kFloat)), "has shape []"));
  REQUIRE(contains(refusal([](TensorFile& file) { file.tensors.pop_back(); }), "is missing"));
  REQUIRE(contains(refusal([](TensorFile& file) {
                     file.tensors.push_back({std::string("a\0\nb", 4), torch::ones({1})});
                   }),
                   R"("a\u0000\nb")"));
  for (const auto& scale : {torch::ones({13}), torch::ones({14}, at::kDouble)}) {
    refusal([&](TensorFile& file) {
      file.tensors.front().tensor = torch::ones({14, 8}, at::kChar);
      file.tensors.push_back({"emb_src.weight.scale", scale});
    });
  }
}

TEST_CASE("A model of a newer version asks for an update", "[checkpoint]") {
  DamagedModel model;
  model.replace("model.safetensors", R"("format_version":"2")", R"("format_version":"3")");
  REQUIRE(contains(model.refusal(), "update nmt"));
  model.replace("config.yaml", "model:", "models:");  // it may mean other things by then
  REQUIRE(contains(model.refusal(), "update nmt"));
  for (const char* version : {R"("0")", R"("x")", R"("-")", R"(" ")"}) {
    DamagedModel other;
    other.replace("model.safetensors", R"("format_version":"2")",
                  std::string(R"("format_version":)") + version);
    REQUIRE(contains(other.refusal(), "format_version"));
  }
}

TEST_CASE("A crash while the parts are replaced leaves a model that loads", "[checkpoint]") {
  const DamagedModel model;
  const ModelDirectory directory{model.path};
  auto parts = read_parts(directory, kFormatVersion);
  const auto old_settings = parts.settings;
  const auto old_sums = read_file(directory.checksums());
  parts.settings += "# said differently\n";
  write_parts(directory, parts);
  const auto new_sums = read_file(directory.checksums());
  REQUIRE(read_parts(directory, kFormatVersion).settings == parts.settings);
  // What stood on the disk in between: both sums, and either file.
  for (const auto& settings : {old_settings, parts.settings}) {
    write_file_atomically(directory.checksums(), old_sums + new_sums);
    write_file_atomically(directory.settings(), settings);
    REQUIRE(read_parts(directory, kFormatVersion).settings == settings);
  }
}

TEST_CASE("What is no model says so", "[checkpoint]") {
  const TemporaryFolder folder;
  const auto message = [&](const fs::path& path) {
    return error_of([&] { describe_model(path); });
  };
  REQUIRE(contains(message(folder / "none"), "no such model directory or packed model"));
  REQUIRE(contains(message(folder / std::string(5000, 'x')), "cannot be read: File name too long"));
  REQUIRE(contains(message(folder.write("empty", "")), "neither a model directory"));
  REQUIRE(contains(message(folder.write("text", "some lines\nof text\n")),
                   "neither a model directory"));
  REQUIRE(contains(message(kModels / "version-2/model.safetensors"), "not a packed model"));
  REQUIRE(contains(message("/dev/zero"), "is not a file"));
}

}  // namespace nmt
