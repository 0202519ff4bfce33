#include "config/settings_io.h"
#include "config/validate.h"
#include "export/export.h"
#include "files/file.h"
#include "registries/focal_objective.h"
#include "registries/small_training.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"
#include "train/train.h"
#include "translate/translator.h"

namespace nmt {
namespace {

constexpr char kFocal[] = "train:\n  objective: focal\n  focal_gamma: 1.5\n";

/// Trains into a folder up to that update; the weights.
std::string trained(Settings settings, const std::filesystem::path& model, int64_t updates,
                    ExistingRunPolicy existing_run = ExistingRunPolicy::kContinue) {
  settings.train.max_updates = updates;
  train({settings, model, existing_run});
  return read_file(model / "model.safetensors");
}

}  // namespace

TEST_CASE("An objective from outside trains, resumes, decodes and is exported", "[registries]") {
  const TemporaryFolder folder;
  focal_objective();
  auto settings = small_training();
  const auto likelihood = trained(settings, folder / "likelihood", 3);
  overlay_settings(settings, folder.write("focal.yaml", kFocal));
  const auto model = folder / "focal";
  REQUIRE(trained(settings, model, 3) != likelihood);

  const auto saved = load_settings(model / "config.yaml").train;
  REQUIRE(saved.objective == &focal_objective());
  REQUIRE(saved.objective_value<double>("focal_gamma") == 1.5);

  auto other = settings;
  set_setting(other, "train.focal-gamma", "0.5");
  const auto resume = ExistingRunPolicy::kResume;
  const auto refusal = error_of([&] { trained(other, model, 5, resume); });
  REQUIRE(contains(refusal, "train.focal_gamma 1.5 → 0.5"));
  REQUIRE(trained(settings, model, 5, resume) == trained(settings, folder / "straight", 5));

  const Translator translator({{model}, "cpu", 1});
  TranslationOptions options;
  options.max_length = 5;
  REQUIRE(translator.translate({"저는 책을 읽어요."}, options).size() == 1);
  ExportRequest request{model, "torchscript", folder / "model.pt"};
  request.verify = true;
  REQUIRE(contains(export_model(request), "verified over 16 sentences"));
}

TEST_CASE("A run whose memory runs out resumes from the update before", "[registries]") {
  const TemporaryFolder folder;
  focal_objective();
  auto settings = small_training();
  overlay_settings(settings, folder.write("focal.yaml", kFocal));
  settings.model.dropout = 0.3;
  settings.train.gradient_accumulation = 2;
  settings.data.batch_size = 2;
  const auto straight = trained(settings, folder / "straight", 4);
  const auto resume = ExistingRunPolicy::kResume;
  trained(settings, folder / "model", 1);
  focal_calls() = {0, 4};  // the second batch of update 3
  REQUIRE_THROWS_AS(trained(settings, folder / "model", 4, resume), c10::OutOfMemoryError);
  focal_calls() = {};
  REQUIRE(trained(settings, folder / "model", 4, resume) == straight);
  REQUIRE(focal_calls().made == 4);
}

TEST_CASE("The settings of an objective from outside are checked as all are", "[registries]") {
  focal_objective();
  Settings settings;
  REQUIRE(contains(to_yaml(settings, true),
                   "  # focal: exponent of the weight of a token\n"
                   "  focal_gamma: 2\n"));
  REQUIRE(error_of([&] { apply_yaml(settings, "train:\n  objective: focl\n", "x.yaml"); }) ==
          "x.yaml: line 2: train.objective: 'focl' is none of " +
              list_of(kind_names(objective_kinds())) + " (did you mean focal?)");
  REQUIRE(error_of([&] { apply_yaml(settings, "train:\n  focal_gama: 1\n", "x.yaml"); }) ==
          "x.yaml: line 2: train.focal_gama: unknown setting (did you mean focal_gamma?)");
  apply_yaml(settings, kFocal, "x.yaml");
  REQUIRE_NOTHROW(validate(settings));
  set_setting(settings, "train.focal_gamma", "11");
  REQUIRE(error_of([&] { validate(settings); }) ==
          "train.focal_gamma: 11 is out of range; it must be from 0 to 10");

  const TemporaryFolder folder;
  auto fused = small_training();
  apply_yaml(fused, kFocal, "x.yaml");
  fused.train.engine = TrainingEngine::kFused;
  REQUIRE(contains(error_of([&] { train({fused, folder / "model"}); }), "the objective is focal"));
}

}  // namespace nmt
