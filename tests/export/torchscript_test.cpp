#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include "data/batch.h"
#include "decode/batch_search.h"
#include "decode/model_stepper.h"
#include "export/export.h"
#include "export/small_model.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

// What a program with LibTorch and nothing of ours does.
struct Loaded {
  torch::jit::ExtraFilesMap files = {{"config.yaml", ""}, {"source.spm", ""}, {"target.spm", ""}};
  torch::jit::Module module;  // loading it fills the files

  explicit Loaded(const std::filesystem::path& path)
      : module(torch::jit::load(path.string(), c10::nullopt, files)) {}
};

std::vector<std::vector<int32_t>> sources_of(const Model& model) {
  std::vector<std::vector<int32_t>> sources;
  for (const auto& sentence : sample_sentences(8)) sources.push_back(model.source.encode(sentence));
  return sources;
}

}  // namespace

TEST_CASE("A TorchScript file translates in a program that knows LibTorch alone", "[export]") {
  const TemporaryFolder folder;
  for (const auto& config : model_shapes()) {
    INFO(description(config));
    const auto model = write_small_model(folder / "model", config);
    export_model({folder / "model", "torchscript", folder / "model.pt", /*overwrite=*/true});
    const Loaded loaded(folder / "model.pt");
    const auto batch = make_source_batch(sources_of(model));
    SearchOptions options;
    options.beam_size = 1;
    for (const int64_t max_length : {512, 7, 1, 0}) {
      options.max_length = max_length;
      ModelStepper stepper(model.network);
      const auto expected = search_batch(stepper, batch.source, batch.source_lengths, options);
      const auto found =
          loaded.module.get_method("greedy")({batch.source, batch.source_lengths, max_length});
      const auto tokens = found.toTuple()->elements()[0].toTensor();
      const auto log_probabilities = found.toTuple()->elements()[1].toTensor();
      REQUIRE(tokens.size(1) <= max_length);
      for (size_t i = 0; i < expected.size(); ++i) {
        const auto row = tokens[static_cast<int64_t>(i)];
        const auto kept = row.masked_select(row != kPadId).to(torch::kInt);
        REQUIRE(torch::equal(kept, torch::tensor(expected[i].front().tokens, torch::kInt)));
        REQUIRE(log_probabilities[static_cast<int64_t>(i)].item<double>() ==
                Approx(expected[i].front().log_probability).margin(1e-4));
      }
    }
  }
}

TEST_CASE("A TorchScript file's steps serve several hypotheses of a sentence", "[export]") {
  const TemporaryFolder folder;
  for (const auto& config : model_shapes()) {
    INFO(description(config));
    const auto model = write_small_model(folder / "model", config);
    export_model({folder / "model", "torchscript", folder / "model.pt", /*overwrite=*/true});
    Loaded loaded(folder / "model.pt");
    const auto batch = make_source_batch(sources_of(model));
    const auto encoded =
        loaded.module.get_method("encode")({batch.source, batch.source_lengths}).toTuple();
    const auto states = encoded->elements()[0];
    const auto padding = encoded->elements()[1];
    const auto state = encoded->elements()[2].toTensorVector();
    const auto rows = torch::arange(8).repeat_interleave(3);
    const auto chosen = [](const std::vector<torch::Tensor>& tensors, const torch::Tensor& which) {
      std::vector<torch::Tensor> selected;
      for (const auto& tensor : tensors) selected.push_back(tensor.index_select(1, which));
      return selected;
    };
    const auto step = loaded.module.get_method("step");
    const auto tokens = torch::arange(24) + 4;
    const auto first = step({tokens, chosen(state, rows), states, padding}).toTuple();
    const auto moved = first->elements()[1].toTensorVector();
    const auto together = step({tokens + 24, moved, states, padding}).toTuple();
    const int64_t looks_at = config.attention == &none_attention() ? 0 : batch.source.size(1);
    REQUIRE(together->elements()[2].toTensor().sizes() == at::IntArrayRef({24, looks_at}));
    for (int64_t k = 0; k < 3; ++k) {
      const auto every_third = torch::arange(k, 24, 3);
      const auto alone = step({tokens.index_select(0, every_third) + 24, chosen(moved, every_third),
                               states, padding})
                             .toTuple();
      REQUIRE(torch::allclose(together->elements()[0].toTensor().index_select(0, every_third),
                              alone->elements()[0].toTensor(), 1e-5, 1e-5));
    }
  }
}

TEST_CASE("A TorchScript file carries what decoding needs", "[export]") {
  const TemporaryFolder folder;
  const auto model = write_small_model(folder / "model", model_shapes()[0]);
  export_model({folder / "model", "torchscript", folder / "model.pt"});
  const Loaded loaded(folder / "model.pt");
  REQUIRE(loaded.files.at("source.spm") == model.source.bytes());
  REQUIRE(loaded.files.at("target.spm") == model.target.bytes());
  REQUIRE(loaded.files.at("config.yaml") == to_yaml(model.settings, /*with_comments=*/false));
  REQUIRE(loaded.module.attr("target_vocabulary_size").toInt() == 80);
  REQUIRE(loaded.module.attr("source_vocabulary_size").toInt() == 80);
  REQUIRE(loaded.module.attr("pad_id").toInt() == kPadId);
  REQUIRE(loaded.module.attr("unknown_id").toInt() == kUnknownId);
  REQUIRE(loaded.module.attr("bos_id").toInt() == kBosId);
  REQUIRE(loaded.module.attr("eos_id").toInt() == kEosId);
}

}  // namespace nmt
