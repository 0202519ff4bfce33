// validation.metric script: an external program rates the validation translations.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "files/line_reader.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

std::string script_settings(const TemporaryFolder& texts, const std::string& body) {
  const auto script = texts.write("rate", "#!/bin/sh\n" + body);
  fs::permissions(script, fs::perms::owner_all);
  return "--validation.metric script --validation.script " + script.string() +
         " --train.max-epochs 0 --validation.interval 10 ";
}

std::vector<std::optional<double>> ratings_of(const fs::path& model) {
  std::vector<std::optional<double>> ratings;
  for (const auto& line : read_lines((model / "metrics.jsonl").string())) {
    const auto json = nlohmann::json::parse(line);
    if (json.at("type") != "validation") continue;
    ratings.push_back(json.contains("script") ? std::optional(json["script"].get<double>())
                                              : std::nullopt);
  }
  return ratings;
}

}  // namespace

TEST_CASE("A script decides which checkpoint is best and when training stops", "[cli][script]") {
  const TrainingTexts texts;
  // The runs rate 1, 3, 2 and 2; the fourth fails, which must neither end training nor count.
  const auto settings = script_settings(texts,
                                        "cd \"$(dirname \"$0\")\"; echo run >> runs\n"
                                        "set -- 1 3 2 failure 2; shift $(($(wc -l < runs) - 1))\n"
                                        "echo $1\n");
  const auto result = run_program(training_command(texts, settings + "--validation.patience 2 "
                                                                     "--train.max-updates 90"));
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(ratings_of(texts / "model") ==
        std::vector<std::optional<double>>{1.0, 3.0, 2.0, std::nullopt, 2.0});
  CHECK(contains(result.errors, "script 3.0000"));
  CHECK(contains(result.errors, "update 40: " + (texts / "rate").string() + ": 'failure'"));
  const auto summary = nlohmann::json::parse(read_file(texts / "model/training.json"));
  CHECK(summary.at("stop_reason") == "script did not improve in 2 validations");
  CHECK(summary.at("updates") == 50);
  CHECK(summary.at("best").at("update") == 20);
  CHECK(summary.at("best").at("script") == 3.0);
}

TEST_CASE("A run that a script rates resumes with the same bits", "[cli][script]") {
  const TrainingTexts texts;
  const auto settings = script_settings(texts, "cat \"$1\" \"$2\" | cksum | cut -d ' ' -f 1\n");
  const auto train = [&](const char* model, const char* updates) {
    require_success(run_program(
        training_command(texts, settings + "--train.max-updates " + std::string(updates), model)));
  };
  train("straight", "40");
  train("resumed", "20");
  train("resumed", "40 --resume");
  CHECK(ratings_of(texts / "straight").size() == 4);
  CHECK(ratings_of(texts / "resumed") == ratings_of(texts / "straight"));
  for (const char* weights : {"model.safetensors", "last.safetensors"}) {
    const bool same =
        read_file(texts / "resumed" / weights) == read_file(texts / "straight" / weights);
    CHECK(same);
  }
}

TEST_CASE("A script that cannot be run is refused before training", "[cli][script]") {
  const TrainingTexts texts;
  const auto settings = script_settings(texts, "echo 1\n");
  fs::permissions(texts / "rate", fs::perms::owner_read);
  const auto result = run_program(training_command(texts, settings));
  CHECK(result.exit_code == 1);
  CHECK(contains(result.errors, "rate: cannot be run; use chmod +x"));
  CHECK_FALSE(fs::exists(texts / "model"));
}

}  // namespace nmt
