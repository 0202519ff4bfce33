#include "attentions/attention_kind.h"
#include "checkpoint/model.h"
#include "cli/run_program.h"
#include "config/settings_io.h"
#include "explain/walks.h"
#include "export/export.h"
#include "registries/distance_attention.h"
#include "registries/small_training.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"
#include "train/train.h"
#include "translate/translator.h"

namespace nmt {

TEST_CASE("An attention from outside trains, decodes, is exported and explained", "[registries]") {
  const TemporaryFolder folder;
  const auto model = folder / "model";
  distance_attention();
  auto settings = small_training();
  set_setting(settings, "model.attention", "distance");
  train({settings, model});

  const auto shape = read_model(model).options;
  REQUIRE(shape.attention == &distance_attention());
  const Translator translator({{model}, "cpu", 1});
  TranslationOptions options;
  options.max_length = 5;
  options.attention = options.words = true;
  const auto translation = translator.translate({"저는 책을 읽어요."}, options).front();
  REQUIRE_FALSE(translation.candidates.front().attention.empty());

  ExportRequest request{model, "torchscript", folder / "model.pt"};
  request.verify = true;
  REQUIRE(contains(export_model(request), "verified over 16 sentences"));

  const auto walk = walk_attention(distance_attention(), example_input());
  REQUIRE(contains(explanation_text(walk, Language::kEnglish, false), "the nearest word answers"));
  const auto learned = explain_translation("저는 책을 읽어요.", translation, shape);
  REQUIRE(contains(explanation_text(learned, Language::kEnglish, false), "|W h_t - h_src|²"));
}

TEST_CASE("A program with an attention of its own trains and translates", "[registries]") {
  const TemporaryFolder folder;
  const auto model = " -m " + (folder / "model").string();
  const auto trained = run_program(
      "train --config /dev/null -t data/sample/test.ko data/sample/test.en --vocab.source-model "
      "models/sample/source.spm --vocab.target-model models/sample/target.spm --model.hidden-size "
      "8 --model.embedding-size 8 --model.attention distance --train.max-updates 1" +
          model,
      "", NMT_WITH_DISTANCE);
  INFO(trained.errors);
  REQUIRE(trained.exit_code == 0);
  const auto translated = run_program("translate --max-length 5" + model,
                                      "echo '저는 책을 읽어요.' |", NMT_WITH_DISTANCE);
  INFO(translated.errors);
  REQUIRE(translated.exit_code == 0);
  REQUIRE_FALSE(translated.output.empty());
}

}  // namespace nmt
