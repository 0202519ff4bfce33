#include "checkpoint/model.h"

#include <ATen/ATen.h>

#include "checkpoint/model_directory.h"
#include "checkpoint/safetensors.h"
#include "files/file.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

Seq2Seq small_network(int64_t hidden_size, TiedEmbeddings tied = TiedEmbeddings::kNone) {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = 11;
  options.target_vocabulary_size = 11;
  options.embedding_size = 6;
  options.hidden_size = hidden_size;
  options.tied_embeddings = tied;
  return make_seq2seq(options);
}

}  // namespace

TEST_CASE("Saved and loaded weights are bitwise the same", "[checkpoint]") {
  const TemporaryFolder folder;
  for (const auto tied : {TiedEmbeddings::kNone, TiedEmbeddings::kTarget, TiedEmbeddings::kAll}) {
    const auto saved = small_network(6, tied);
    const auto loaded = small_network(6, tied);
    save_weights(folder / "x", saved, {{"update", "7"}});
    load_weights(folder / "x", loaded);
    for (const auto& parameter : saved->named_parameters()) {
      REQUIRE(torch::equal(loaded->named_parameters()[parameter.key()], parameter.value()));
    }
    REQUIRE(read_safetensors_header(folder / "x").metadata.at("update") == "7");
  }
}

TEST_CASE("Weights of another shape or model are refused by name", "[checkpoint]") {
  const TemporaryFolder folder;
  save_weights(folder / "x", small_network(8), {});
  REQUIRE(contains(error_of([&] { load_weights(folder / "x", small_network(4)); }), "has shape"));
  write_safetensors(folder / "y", {{}, {{"strange", torch::ones({1})}}, ""});
  REQUIRE(contains(error_of([&] { load_weights(folder / "y", small_network(4)); }), "strange"));
  write_safetensors(folder / "z", {{}, {}, ""});
  REQUIRE(contains(error_of([&] { load_weights(folder / "z", small_network(4)); }), "is missing"));
}

TEST_CASE("A folder that holds no model says what it lacks", "[checkpoint]") {
  const TemporaryFolder folder;
  REQUIRE(contains(error_of([&] { load_model(folder / "none", torch::kCPU); }),
                   "no such model directory"));
  REQUIRE(contains(error_of([&] { load_model(folder.path(), torch::kCPU); }),
                   "config.yaml is missing"));
  folder.write("config.yaml", "");
  REQUIRE(contains(error_of([&] { load_model(folder.path(), torch::kCPU); }),
                   "model.safetensors is missing"));
}

TEST_CASE("A model whose replacement was killed moves back before the next", "[checkpoint]") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / ".new12/replaced");
  folder.write(".new12/model.safetensors", "new");
  folder.write(".new12/replaced/model.safetensors", "old");
  folder.write(".newer", "of the user");
  const auto fail = [&] {
    write_model_directory({folder.path()}, {}, small_network(4), {{"text", "\xFF"}});
  };
  REQUIRE(contains(error_of(fail), "must be valid UTF-8"));
  REQUIRE(read_file(folder / "model.safetensors") == "old");
  REQUIRE(read_file(folder / ".newer") == "of the user");
  REQUIRE_FALSE(std::filesystem::exists(folder / ".new12"));
}

TEST_CASE("A model is never overwritten unless told to", "[checkpoint]") {
  const TemporaryFolder folder;
  const ModelDirectory directory{folder.path()};
  REQUIRE_NOTHROW(directory.require_free(false));
  folder.write("model.safetensors", "precious");
  REQUIRE(contains(error_of([&] { directory.require_free(false); }), "--overwrite"));
  REQUIRE_NOTHROW(directory.require_free(true));
  REQUIRE(
      contains(error_of([&] { ModelDirectory{folder / "model.safetensors"}.require_free(true); }),
               "is a file"));
}

}  // namespace nmt
