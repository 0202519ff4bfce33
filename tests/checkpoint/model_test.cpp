#include "checkpoint/model.h"

#include <ATen/ATen.h>

#include "checkpoint/model_directory.h"
#include "checkpoint/safetensors.h"
#include "files/file.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/test_device.h"

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
  auto model = make_seq2seq(options);
  model->to(test_device());
  return model;
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
  const auto error = error_of(fail);
  REQUIRE(contains(error, "must be valid UTF-8"));
  REQUIRE(error.rfind((folder / "model.safetensors: ").string(), 0) == 0);
  REQUIRE(read_file(folder / "model.safetensors") == "old");
  REQUIRE(read_file(folder / ".newer") == "of the user");
  REQUIRE_FALSE(std::filesystem::exists(folder / ".new12"));
}

TEST_CASE("A calibration of the new model does not stay with the old one", "[checkpoint]") {
  const TemporaryFolder folder;
  const bool had_one = GENERATE(true, false);
  std::filesystem::create_directories(folder / ".new12/replaced");
  folder.write(".new12/model.safetensors", "new");
  folder.write(".new12/replaced/model.safetensors", "old");
  folder.write(".new12/replaced/SHA256SUMS", had_one ? "0  confidence.json\n" : "");
  folder.write("confidence.json", "{}");
  error_of([&] {
    write_model_directory({folder.path()}, {}, small_network(4), {{"text", "\xFF"}});
  });
  CHECK(std::filesystem::exists(folder / "confidence.json") == had_one);
}

TEST_CASE("A model in place of a private one is private", "[checkpoint]") {
  using std::filesystem::perms;
  const TemporaryFolder folder;
  write_model_directory({folder.path()}, {}, small_network(4), {});
  const auto weights = folder / "model.safetensors";
  const auto before = read_file(weights);
  std::filesystem::permissions(weights, perms::owner_read | perms::owner_write);
  write_model_directory({folder.path()}, {}, small_network(6), {});
  REQUIRE(read_file(weights) != before);
  REQUIRE(std::filesystem::status(weights).permissions() ==
          (perms::owner_read | perms::owner_write));
}

TEST_CASE("Held-out texts are found where the directory is now", "[checkpoint]") {
  const TemporaryFolder folder;
  const ModelDirectory moved{folder.path()};
  std::filesystem::create_directory(moved.held_out());
  folder.write("held-out/valid.de", "text");
  REQUIRE(moved.text_at("before/held-out/valid.de") == (moved.held_out() / "valid.de").string());
  for (const std::string other : {"", "valid.de", "texts/valid.de", "before/held-out/test.de"}) {
    REQUIRE(moved.text_at(other) == other);
  }
}

TEST_CASE("No output is a file of the model that is read", "[checkpoint]") {
  const TemporaryFolder folder;
  const ModelDirectory model{folder / "model"};
  std::filesystem::create_directory(model.root);
  for (const auto& output :
       {model.settings(), model.source_tokenizer(), model.target_tokenizer(), model.weights(),
        model.last_weights(), model.checkpoints() / "update-9.safetensors", model.metrics(),
        model.summary(), model.calibration(), model.checksums(), model.run_state(),
        model.corpus_cache() / "x", model.held_out() / "valid.de",
        model.reverse_model() / "config.yaml", model.root / "../model/config.yaml"}) {
    REQUIRE(contains(error_of([&] { require_not_model({output}, {model.root / ""}); }),
                     output.string() + ": a file of the model that is read; use another file"));
  }
  require_not_model({model.root / "test.en", folder / "config.yaml"}, {model.root});
  require_not_model({model.settings()}, {folder / "other"});
}

TEST_CASE("A model is never overwritten unless told to", "[checkpoint]") {
  const TemporaryFolder folder;
  const ModelDirectory directory{folder.path()};
  REQUIRE_NOTHROW(directory.require_no_run(false));
  folder.write("model.safetensors", "precious");
  REQUIRE(contains(error_of([&] { directory.require_no_run(false); }), "--overwrite"));
  REQUIRE_NOTHROW(directory.require_no_run(true));
  REQUIRE(
      contains(error_of([&] { ModelDirectory{folder / "model.safetensors"}.require_no_run(true); }),
               "is a file"));
  folder.write("training_state.safetensors", "of a run");
  for (const bool overwrite : {false, true}) {
    REQUIRE(contains(error_of([&] { directory.require_no_run(overwrite); }),
                     "holds a training run, which would be deleted; use another directory"));
  }
  REQUIRE_NOTHROW(directory.require_free(true, ""));
}

}  // namespace nmt
