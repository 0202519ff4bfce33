#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "config/objective_kind.h"
#include "reports/page_check.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

// What every command makes of models that are not the default one. They are hardly trained.

const std::string kTransformer = "--model.architecture transformer --model.num-layers 2 ";
const std::string kNone = "--model.attention none ";

std::string brief_training(const TemporaryFolder& folder, const std::string& settings) {
  const auto path = folder.path().string();
  return "train --config /dev/null --train-sets " + path + "/train.src " + path +
         "/train.tgt --valid-sets " + path + "/valid.src " + path +
         "/valid.tgt --vocab.source-size 20 --vocab.target-size 20 " +
         "--vocab.type bpe --model.embedding-size 24 --model.hidden-size 24 " +
         "--data.batch-size 32 --train.threads 1 --train.max-updates 2 " + settings;
}

/// Texts, and under its name each model that was asked for; all have the same vocabularies.
struct Family : TrainingTexts {
  std::string add(const std::string& name, const std::string& settings) {
    const auto model = (path() / name).string();
    require_success(run_program(brief_training(*this, settings + " --model-dir " + model)));
    return " " + model + " ";
  }
};

const std::string kSentence = "printf '1 2 3\\n\\n4 5\\n' |";

nlohmann::json first_line(const ProgramResult& result) {
  require_success(result);
  return nlohmann::json::parse(result.output.substr(0, result.output.find('\n')));
}

}  // namespace

TEST_CASE("A model without attention translates, and has none to show", "[cli]") {
  Family family;
  const auto model = family.add("none", kNone);
  const auto json = first_line(
      run_program("translate --json --copy-unknown --coverage-penalty 0.2 -m" + model, kSentence));
  const auto& best = json["candidates"][0];
  CHECK(best["alignment"] == "");
  for (const auto& warning : best["warnings"]) {
    CHECK_FALSE(contains(warning.get<std::string>(), "coverage"));
  }
  for (const char* ending : {"html", "svg", "json"}) {
    const auto picture = family / ("attention." + std::string(ending));
    const auto drawn =
        run_program("translate --attention " + picture.string() + " -m" + model, kSentence);
    INFO(drawn.errors);
    CHECK(drawn.exit_code == 0);
    CHECK(count_lines(drawn.output) == 3);
    if (picture.extension() != ".json") CHECK(problems_of_page(picture).empty());
  }
  const auto text = family.write("text", "1 2 3\n").string();
  const auto pairs = "-m" + model + "-s " + text + " -t " + text;
  for (const auto& command : {"translate -i " + text + " --alignments x -m" + model,
                              "score --alignments x " + pairs, "align " + pairs}) {
    const auto aligned = run_program(command);
    INFO(command << ": " << aligned.errors);
    CHECK(aligned.exit_code == 1);
    CHECK(contains(aligned.errors, "none: has no attention (model.attention is none)"));
  }
  CHECK(contains(run_program("translate --attention -m" + model, kSentence).errors,
                 "(no attention to show)"));
  const auto report = family / "report.html";
  require_success(run_program("report" + model + "--sentences 5 -o " + report.string()));
  CHECK(problems_of_page(report).empty());
  CHECK_FALSE(contains(read_file(report), "data-matrix=\""));
  // Nothing tells what an unknown piece would stand for.
  const auto sampled =
      run_program("translate --sample --n-best 20 --copy-unknown -m" + model, kSentence);
  CHECK(sampled.exit_code == 0);
  CHECK_FALSE(contains(sampled.output, "⁇"));
  CHECK(contains(run_program("translate -m" + model, "printf '1 2 https://a.org/b 3\\n' |").output,
                 " https://a.org/b"));
  const auto terms = run_program("translate --terms absent -m" + model, kSentence);
  CHECK(terms.exit_code == 2);
  CHECK(contains(terms.errors, "terms: the model has no attention"));
  const auto explained = run_program("explain attention '1 2 3' -m" + model);
  CHECK(explained.exit_code == 1);
  CHECK(contains(explained.errors, "none: has no attention (model.attention is none)"));
  CHECK(count_lines(explained.errors) == 1);
}

TEST_CASE("Models of different kinds are an ensemble", "[cli]") {
  Family family;
  const auto members = family.add("transformer", kTransformer) + "-m" + family.add("none", kNone) +
                       "-m" + family.add("general", "");
  const auto best = first_line(
      run_program("translate --json --attention -m" + members, kSentence))["candidates"][0];
  // The mean of the two that attend.
  REQUIRE_FALSE(best["attention"].empty());
  double sum = 0.0;
  for (const double weight : best["attention"][0]) sum += weight;
  CHECK(sum == Approx(1.0).margin(1e-4));
}

TEST_CASE("What is told of a model is true of its kind", "[cli]") {
  Family family;
  const auto transformer = family.add("transformer", kTransformer + "--model.heads 3 ");
  const auto info = nlohmann::json::parse(run_program("info --json" + transformer).output);
  CHECK(info["architecture"] == "transformer");
  CHECK(info["heads"] == 3);
  for (const char* name : {"cell", "attention", "coverage", "input_feeding", "layer_norm"}) {
    INFO(name);
    CHECK_FALSE(info.contains(name));
  }
  const auto packed = (family / "model.nmt").string();
  require_success(run_program("pack" + transformer + "--precision int8 -o " + packed));
  const auto of_packed = run_program("info " + packed).output;
  CHECK(contains(of_packed, "architecture  transformer"));
  CHECK_FALSE(contains(of_packed, "gru"));
  // Explained by the mean of its heads, of which no scores are told.
  const auto explained = run_program("explain attention '1 2 3' --language en -m " + packed);
  CHECK(explained.exit_code == 0);
  std::string text;  // without line breaks
  std::istringstream stream(explained.output);
  for (std::string word; stream >> word;) text += word + " ";
  CHECK(contains(text, "has 3 attention heads"));
  CHECK_FALSE(contains(explained.output, "s_max"));
}

TEST_CASE("A Transformer learns corrections with all of its layers", "[cli]") {
  Family family;
  const auto model =
      family.add("transformer", kTransformer +
                                    "--model.layer-dropout 0.9 --model.word-dropout 0.5 "
                                    "--train.learning-rate 5e-2 ");
  const auto source = family.write("wrong", "1 2 3\n").string();
  const auto target = family.write("right", "3 2 1\n").string();
  const auto score = run_program("score -m" + model + "-s " + source + " -t " + target).output;
  const auto adapted = run_program("adapt -m" + model + "-s " + source + " -t " + target + " -o " +
                                   (family / "adapted").string());
  INFO(adapted.errors);
  REQUIRE(adapted.exit_code == 0);
  // The loss that it began with is that of the whole model.
  const std::string before = "token loss ";
  const auto said = adapted.output + adapted.errors;
  const auto loss = std::stod(said.substr(said.find(before) + before.size()));
  const double total = -std::stod(score);
  const double count = std::round(total / loss);
  CHECK(loss == Approx(total / count).margin(6e-4));
}

TEST_CASE("Training goes on exactly where it stopped, for every objective", "[cli][resume]") {
  const TrainingTexts texts;
  for (const std::string& model :
       {kTransformer + "--model.layer-dropout 0.2 ", std::string("--train.engine fused ")}) {
    for (const std::string& objective : kind_names(objective_kinds())) {
      if (objective == "dual") continue;  // needs models
      const auto result = run_program(brief_training(
          texts, model + "--model.dropout 0.2 --verify-resume --train.objective " + objective +
                     (objective == "minimum_risk" ? " --train.mrt-samples 2" : "") +
                     " --model-dir " + (texts / "model").string()));
      INFO(model << objective << ": " << result.errors);
      CHECK(result.exit_code == 0);
      CHECK(contains(result.output + result.errors, "resuming is exact"));
    }
  }
}

}  // namespace nmt
