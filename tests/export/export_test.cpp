#include "export/export.h"

#include <ATen/ATen.h>

#include <limits>

#include "decode/model_stepper.h"
#include "export/export_format.h"
#include "export/small_model.h"
#include "export/verify.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

size_t files_in(const std::filesystem::path& folder) {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

}  // namespace

TEST_CASE("Every format, read back, computes what the model computes", "[export]") {
  const TemporaryFolder folder;
  const auto sample = folder.write("sample", as_lines(sample_sentences(20)) + "\n  \n");
  for (const auto& config : model_shapes()) {
    const auto model = write_small_model(folder / "model", config);
    for (const auto& format : export_formats()) {
      INFO(description(config) << ": " << format.name);
      ExportRequest request{folder / "model", format.name, folder / format.name};
      request.verify = true;
      request.overwrite = true;
      REQUIRE(contains(export_model(request), "verified over 16 sentences"));
      request.sample = sample;
      REQUIRE(contains(export_model(request), "verified over 20 sentences"));
    }
  }
}

TEST_CASE("Settings of recurrent attention do not change a Transformer's export", "[export]") {
  const TemporaryFolder folder;
  for (auto config : model_shapes()) {
    if (config.architecture != Architecture::kTransformer) continue;
    config.attention_temperature =
        3.0;  // as models have it that were trained before it was refused
    write_small_model(folder / "model", config);
    ExportRequest request{folder / "model", "torchscript", folder / "model.pt"};
    request.verify = true;
    request.overwrite = true;
    REQUIRE(contains(export_model(request), "verified over 16 sentences"));
  }
}

TEST_CASE("A language model is exported as weights; as TorchScript it is refused", "[export]") {
  const TemporaryFolder folder;
  const auto model = write_small_model(folder / "model", language_model_shape());
  ExportRequest request{folder / "model", "safetensors", folder / "safetensors"};
  request.verify = true;
  REQUIRE(contains(export_model(request), "verified over 16 sentences"));
  const auto path = folder / "model.pt";
  REQUIRE(contains(error_of([&] {
                     export_model({folder / "model", "torchscript", path});
                   }),
                   "this is a language model; use --to safetensors"));
  REQUIRE_FALSE(std::filesystem::exists(path));
}

TEST_CASE("Another model's export is found out", "[export]") {
  const TemporaryFolder folder;
  const auto shapes = model_shapes();
  const auto model = write_small_model(folder / "model", shapes[0]);
  const auto path = folder / "exported";
  for (const auto& format : export_formats()) {
    INFO(format.name);
    ExportRequest request{folder / "model", format.name, path};
    request.overwrite = true;
    export_model(request);
    auto other = write_small_model(folder / "other", shapes[0]);
    {
      const at::NoGradGuard no_gradients;
      other.network->parameters().back()[5].add_(0.5);
    }
    REQUIRE(contains(error_of([&] { format.reload(path, other); }), "was not written as it is"));
    const auto reloaded = format.reload(path, model);
    const auto sources = sample_sources("", model);
    REQUIRE(verify_export(model, reloaded, sources).largest_difference < 1e-5);
    REQUIRE(contains(error_of([&] { verify_export(other, reloaded, sources); }), "differ"));
  }
}

TEST_CASE("Not-a-number in an export is a difference", "[export]") {
  const TemporaryFolder folder;
  const auto model = write_small_model(folder / "model", model_shapes()[0]);
  const auto broken = write_small_model(folder / "model", model_shapes()[0]);
  {
    const at::NoGradGuard no_gradients;
    broken.network->parameters().back()[5] = std::numeric_limits<float>::quiet_NaN();
  }
  const ReloadedModel reloaded{std::make_unique<ModelStepper>(broken.network), {}};
  REQUIRE(contains(error_of([&] { verify_export(model, reloaded, sample_sources("", model)); }),
                   "by up to inf"));
}

TEST_CASE("An export that fails replaces nothing and leaves nothing", "[export]") {
  const TemporaryFolder folder;
  write_small_model(folder / "model", model_shapes()[0]);
  std::filesystem::create_directory(folder / "out");
  for (const auto& format : export_formats()) {
    ExportRequest request{folder / "model", format.name, folder / "out/x"};
    folder.write("out/x", "precious");
    REQUIRE(contains(error_of([&] { export_model(request); }), "--overwrite"));
    request.overwrite = true;
    request.verify = true;
    request.sample = folder.write("blank", "\n \n");
    REQUIRE(contains(error_of([&] { export_model(request); }), "holds no sentence"));
    REQUIRE(read_file(folder / "out/x") == "precious");
    REQUIRE(files_in(folder / "out") == 1);
    request.output = folder / "nowhere/x";
    REQUIRE(contains(error_of([&] { export_model(request); }), "nowhere/x: cannot be written"));
    request.output = "/dev/full/x";
    REQUIRE_THROWS_AS(export_model(request), Error);
  }
  ExportRequest request{folder / "model", "onnx", folder / "out/y"};
  REQUIRE(contains(error_of([&] { export_model(request); }), "safetensors, torchscript"));
  REQUIRE(files_in(folder / "out") == 1);
}

}  // namespace nmt
