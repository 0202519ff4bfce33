#include <string>

#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "files/file.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

std::string command_of(const TrainingTexts& texts, const std::string& more) {
  const auto path = texts.path().string();
  return "train --train-sets " + path + "/train.src " + path + "/train.tgt --valid-sets " + path +
         "/valid.src " + path + "/valid.tgt --model-dir " + path + "/model --train.threads 1 " +
         more;
}

std::string config_of(const TrainingTexts& texts) {
  return read_file(texts.path() / "model" / "config.yaml");
}

}  // namespace

TEST_CASE("What nobody gives is chosen, saved as numbers, and kept by the resumed run", "[cli]") {
  const TrainingTexts texts;
  const auto more = "--model.hidden-size 32 --train.schedule constant --train.max-updates ";
  const auto trained = run_program(command_of(texts, more + std::string("4 --model.dropout 0.3")));
  INFO(trained.errors);
  REQUIRE(trained.exit_code == 0);
  CHECK(contains(trained.errors, "chosen for 600 pairs"));
  CHECK(contains(trained.errors, "estimate  epoch"));
  auto config = config_of(texts);
  CHECK(contains(config, "  hidden_size: 32\n"));
  CHECK(contains(config, "  embedding_size: 32\n"));
  CHECK(contains(config, "  joint: true\n"));
  CHECK(contains(config, "  dropout: 0.3\n"));
  for (const char* key : {"ema_decay", "batch_size", "source_size", "patience", "max_epochs"}) {
    CHECK_FALSE(contains(config, std::string(key) + ": auto"));
  }
  // As if today's rule chose another dropout rate than that of the run.
  const auto resumed = run_program(command_of(texts, "--resume " + (more + std::string("6"))));
  INFO(resumed.errors);
  REQUIRE(resumed.exit_code == 0);
  CHECK_FALSE(contains(resumed.errors, "chosen for"));
  CHECK(contains(config_of(texts), "  dropout: 0.3\n"));
  CHECK(run_program(command_of(texts, "--resume --model.dropout 0.1 " + (more + std::string("8"))))
            .exit_code == 1);
}

TEST_CASE("Batches are cut to fit in the memory given, and a resumed run keeps them", "[cli]") {
  const TrainingTexts texts;
  const auto more = std::string(
      "--model.hidden-size 256 --model.embedding-size 64 --train.max-memory 360M "
      "--data.hold-out 0 --train.max-epochs 0 ");
  const auto given = more + "--data.batch-size 600 ";
  const auto command = [&](const std::string& flags) { return training_command(texts, flags); };
  const auto trained = run_program(command(given + "--train.max-updates 2"));
  INFO(trained.errors);
  REQUIRE(trained.exit_code == 0);
  CHECK(contains(trained.errors, "batch_size 600 → 2 × 300 to fit in train.max_memory 360M"));
  CHECK(contains(trained.errors, "device cpu  threads 2\n"));
  CHECK(contains(config_of(texts), "  batch_size: 300\n"));
  CHECK(contains(config_of(texts), "  gradient_accumulation: 2\n"));
  CHECK(contains(read_file(texts.path() / "model" / "training.json"), "\"epochs\": 2,"));
  require_success(run_program(command(given + "--resume --train.max-updates 3")));
  CHECK(contains(config_of(texts), "  batch_size: 300\n"));
  const auto path = (texts.path() / "model").string();
  require_success(run_program("train --resume -m " + path + " --train.max-updates 4"));
  const auto texts_given = "-t " + texts.at("train.src") + " " + texts.at("train.tgt") + " ";
  require_success(run_program("train --resume -m " + path + " " + texts_given + given +
                              "--train.max-updates 5"));
  CHECK(contains(config_of(texts), "  batch_size: 300\n"));
  const auto other = run_program(command(more + "--data.batch-size 100 --resume"));
  CHECK(other.exit_code == 1);
  CHECK(contains(other.errors, "data.batch_size 300 → 100; train.gradient_accumulation 2 → 1"));
  const auto smaller =
      run_program(command(given + "--resume --accept-changes --train.max-updates 6 "
                                  "--train.max-memory 300M"));
  INFO(smaller.errors);
  REQUIRE(smaller.exit_code == 0);
  CHECK(contains(smaller.errors, "batch_size 300 → "));
}

TEST_CASE("A run with --minutes knows its last update before the first", "[cli]") {
  const TrainingTexts texts;
  require_success(run_program(
      command_of(texts, "--minutes 0.1 --vocab.source-size 20 --validation.samples 0")));
  const auto config = config_of(texts);
  CHECK(contains(config, "  schedule: linear\n"));
  CHECK(contains(config, "  max_minutes: 0.1\n"));
  CHECK_FALSE(contains(config, "  max_updates: auto\n"));
  // Of config.yaml alone it is the same run.
  const auto path = (texts.path() / "model").string();
  const auto resumed = run_program("train --resume -m " + path);
  INFO(resumed.errors);
  CHECK(resumed.exit_code == 0);
  CHECK(contains(resumed.errors, "training is already finished"));
  const auto without_epochs = run_program(
      command_of(texts, "--minutes 0.1 --train.max-epochs 0 --vocab.source-size 20 --overwrite "));
  INFO(without_epochs.errors);
  CHECK(without_epochs.exit_code == 0);
}

}  // namespace nmt
