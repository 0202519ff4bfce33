#include <string>
#include <vector>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "text/protobuf.h"
#include "translate/translator.h"

namespace nmt {
namespace {

const std::string kModels = std::string(NMT_SOURCE_DIR) + "/tests/models/";

struct KnownModel {
  std::string name;
  std::vector<double> scores;  // what it gave when it was made
};

Translator open_models(const std::vector<std::string>& names) {
  TranslatorOptions options;
  options.threads = 1;
  for (const auto& name : names) options.model_dirs.emplace_back(kModels + name);
  return Translator(options);
}

}  // namespace

// Models that reverse digits, one of each version of the files. They stay, whatever comes.
TEST_CASE("Models of every version translate as they always did", "[translate]") {
  const std::vector<std::string> sources = {"1 2 3", "4 4 6 1", "2"};
  const std::vector<std::string> targets = {"3 2 1", "1 6 4 4", "1"};
  for (const auto& [name, scores] :
       {KnownModel{"version-1", {-0.033021, -0.049736, -15.944029}},
        KnownModel{"version-2", {-0.010893, -0.252064, -13.047518}},
        KnownModel{"version-2-int8.nmt", {-0.010886, -0.266897, -13.070017}}}) {
    INFO(name);
    const auto translator = open_models({name});
    const auto translations = translator.translate(sources);
    REQUIRE(translations[0].text == "3 2 1");
    REQUIRE(translations[1].text == "1 6 4 4");
    REQUIRE(translations[2].text == "2");
    const auto found = translator.score(sources, targets);
    for (size_t i = 0; i < scores.size(); ++i) {
      REQUIRE(found[i].log_probability == Approx(scores[i]).epsilon(1e-3).margin(1e-4));
    }
  }
}

TEST_CASE("bfloat16 needs a GPU", "[translate]") {
  TranslatorOptions options{{kModels + "version-1"}};
  options.precision = TranslationPrecision::kBfloat16;
  for (const auto engine : {TranslationEngine::kAuto, TranslationEngine::kPlain}) {
    options.engine = engine;
    REQUIRE(error_of([&] { Translator{options}; }) ==
            "bfloat16: only for a GPU; use the device cuda, or float32");
  }
}

TEST_CASE("Directories and packed files make one ensemble", "[translate]") {
  const auto ensemble = open_models({"version-1", "version-2-int8.nmt"});
  const auto best = ensemble.translate({"1 2 3"})[0];
  REQUIRE(best.text == "3 2 1");
  REQUIRE(ensemble.score({"1 2 3"}, {"3 2 1"})[0].log_probability ==
          Approx(best.candidates.front().log_probability).epsilon(1e-4));
  const auto weighted = [](std::vector<double> weights) {
    TranslatorOptions options{{kModels + "version-1", kModels + "version-2-int8.nmt"}};
    options.model_weights = std::move(weights);
    return Translator(options).translate({"1 2 3"})[0].candidates.front().log_probability;
  };
  REQUIRE(weighted({2.0, 2.0}) == weighted({}));
  REQUIRE(weighted({9.0, 1.0}) != weighted({}));
  REQUIRE(contains(error_of([&] { weighted({1.0}); }), "model_weights: 1 given for 2 models"));
  REQUIRE(contains(error_of([&] { weighted({1.0, 0.0}); }), "out of range"));
  REQUIRE(contains(error_of([] {
                     open_models({"version-1", "../../models/sample"});
                   }),
                   "an ensemble needs models with the same vocabularies"));
}

TEST_CASE("Models whose vocabularies other numbers of threads trained make an ensemble",
          "[translate]") {
  const TemporaryFolder folder;
  std::filesystem::copy(kModels + "version-1", folder / "other",
                        std::filesystem::copy_options::recursive);
  std::ofstream(folder / "other/target.spm", std::ios::binary | std::ios::app)
      << bytes_field(2, number_field(16, 7));  // num_threads of the trainer
  const TranslatorOptions options{{kModels + "version-1", folder / "other"}};
  REQUIRE(Translator(options).translate({"1 2 3"})[0].text == "3 2 1");
}

}  // namespace nmt
