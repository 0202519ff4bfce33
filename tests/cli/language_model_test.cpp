#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/run_program.h"
#include "files/line_reader.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

constexpr char kNews[] = "We read the news at home.";

/// A language model in LM of the folder that knows one sentence.
struct OneSentence : TemporaryFolder {
  ProgramResult trained;

  OneSentence() {
    std::string text;
    for (int i = 0; i < 64; ++i) text += std::string(kNews) + "\n";
    write("text", text);
    write("valid", std::string(kNews) + "\n");
    trained = run_program("lm train --text " + at("text") + " --valid " + at("valid") + " -m " +
                          at("LM") +
                          " --vocabulary-of models/sample --model.embedding-size 16 "
                          "--model.hidden-size 32 --model.dropout 0 --data.batch-size 8 "
                          "--train.learning-rate 2e-2 --train.max-epochs 15 --train.threads 1");
    require_success(trained);
  }
};

std::string translate(const std::string& more) {
  return run_program("translate -m models/sample --threads 1 " + more,
                     "printf '저는 책을 읽어요.\\n민수는 커피를 마셨어요?\\n' |")
      .output;
}

}  // namespace

TEST_CASE("A language model learns a text and tells how likely others are", "[cli][lm]") {
  const OneSentence model;
  CHECK(contains(model.trained.errors, "perplexity"));
  CHECK_FALSE(contains(model.trained.errors, "BLEU"));
  CHECK_FALSE(contains(read_file(model / "LM/metrics.jsonl"), "bleu"));

  model.write("lines", std::string(kNews) + "\n\nThe sea reads a book.\n");
  const auto scored = run_program("lm score -m " + model.at("LM") + " -i " + model.at("lines") +
                                  " -o " + model.at("scores"));
  REQUIRE(scored.exit_code == 0);
  const auto scores = read_lines(model / "scores");
  REQUIRE(scores.size() == 3);
  CHECK(std::stod(scores[0]) > -0.5);
  CHECK(std::stod(scores[1]) < -2.0);  // an empty line is possible, and it never saw one
  CHECK(std::stod(scores[2]) < -20.0);

  CHECK_FALSE(contains(scored.errors, "unknown"));
  model.write("korean", "저는 책을 읽어요.\n");
  CHECK(contains(run_program("lm score -m " + model.at("LM") + " -i " + model.at("korean")).errors,
                 "% of the tokens are unknown to it; check the language of the text"));

  // exp of minus the mean log-probability of a token, of one line.
  const auto alone = run_program("lm score -m " + model.at("LM") + " -i " + model.at("valid"));
  const double log_p = std::stod(alone.output);
  CHECK(log_p == Approx(std::stod(scores[0])).margin(1e-4));
  const auto at = alone.errors.find("tokens ");
  REQUIRE(at != std::string::npos);
  const double tokens = std::stod(alone.errors.substr(at + 7));
  CHECK(std::stod(alone.errors.substr(alone.errors.find("perplexity ") + 11)) ==
        Approx(std::exp(-log_p / tokens)).margin(1e-3));

  // Training is finished; with a higher limit it goes on without being told the text again.
  const auto resumed =
      run_program("lm train -m " + model.at("LM") + " --resume --train.max-epochs 16");
  INFO(resumed.errors);
  CHECK(resumed.exit_code == 0);
  CHECK(contains(resumed.errors, "from update 120"));
}

TEST_CASE("A language model pulls translations to what it knows, by its weight", "[cli][lm]") {
  const OneSentence model;
  const auto with = [&](const std::string& weight) {
    return translate("--beam-size 1 --lm " + model.at("LM") + " --lm-weight " + weight);
  };
  const auto alone = translate("");
  CHECK(alone == "I read a book.\nDid Minsu drink coffee?\n");
  CHECK(with("0") == alone);
  CHECK(with("50") == std::string(kNews) + "\n" + kNews + "\n");
  for (const char* engine : {"fused", "plain"}) {
    CHECK(with(std::string("50 --engine ") + engine) == with("50"));
  }
  CHECK(with("50 --precision int8") == with("50"));
}

TEST_CASE("A language model leaves out what the translator held out", "[cli][lm]") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 64; ++i) text += std::string(kNews) + (i % 16 == 0 ? "\nA sea.\n" : "\n");
  folder.write("text", text);
  folder.write("valid", std::string(kNews) + "\n");
  std::filesystem::create_directories(folder / "translator/held-out");
  folder.write("translator/target.spm", read_file(NMT_SOURCE_DIR "/models/sample/target.spm"));
  folder.write("translator/held-out/test.ko", "바다.\n");
  folder.write("translator/held-out/test.en", "a SEA\n");
  folder.write("translator/config.yaml",
               "data: {hold_out: 10, valid_source: elsewhere/held-out/valid.ko, test_source: "
               "elsewhere/held-out/test.ko, test_target: elsewhere/held-out/test.en}\n");
  const auto command = "lm train -m " + folder.at("LM") + " --vocabulary-of " +
                       folder.at("translator") + " --text " + folder.at("text") + " --valid " +
                       folder.at("valid") +
                       " --model.embedding-size 16 --model.hidden-size 32 --model.dropout 0 "
                       "--data.batch-size 8 --train.learning-rate 2e-2 --train.threads 1 "
                       "--train.max-updates ";
  const auto trained = run_program(command + "10");
  require_success(trained);
  CHECK(contains(trained.errors, "lines 64 of 68"));
  CHECK(contains(trained.errors, "held-out 4 "));
  CHECK(contains(trained.errors, "elsewhere/held-out/valid.ko: no such file, so sentences that"));
  CHECK(contains(read_file(folder / "LM/config.yaml"), folder.at("translator/held-out/test.en")));
  require_success(run_program(command + "12 --resume"));
}

TEST_CASE("A report of a language model shows its training", "[cli][lm]") {
  const OneSentence model;
  require_success(run_program("report " + model.at("LM") + " -o " + model.at("page")));
  const auto page = read_file(model / "page");
  CHECK(contains(page, "Perplexity by updates"));
  CHECK(contains(page, "LM: a language model does not translate"));
}

TEST_CASE("The help of lm train says nothing of what only translators choose", "[cli][lm]") {
  const auto help = run_program("lm train --help");
  CHECK(contains(help.output, "--minutes"));
  CHECK_FALSE(contains(help.output, "chosen"));
}

TEST_CASE("A language model is refused where it makes no sense", "[cli][lm]") {
  const OneSentence model;
  model.write("one", "one\n");
  const auto lm = model.at("LM");
  const auto one = model.at("one");
  const auto refused = [](const std::string& command, const std::string& says) {
    const auto result = run_program(command);
    INFO(command << "\n" << result.errors);
    CHECK(result.exit_code != 0);
    CHECK(contains(result.errors, says));
    CHECK(count_lines(result.errors) == 1);
  };
  for (const auto& command :
       {"translate -m " + lm + " -i " + one, "serve --port 0 -m " + lm,
        "evaluate -m " + lm + " -s " + one + " -r " + one, "interactive -m " + lm + " < " + one,
        "report " + lm + " -s " + one + " -r " + one + " -o " + model.at("page")}) {
    refused(command, "LM: a language model does not translate");
  }
  const auto training = "lm train --text " + one + " -m " + model.at("other");
  refused(training + " --model.architecture transformer", "lm train makes a language_model");
  refused(training + " --vocab.joint false", "a language model has one vocabulary");
  refused(training + " --model.attention dot", "only model.architecture recurrent reads it");
  refused(training + " --data.source-subword-sampling 0.1",
          "a language model samples by data.target_subword_sampling");
  refused("translate -m tests/models/version-2 --lm " + lm + " -i " + one,
          "LM: its vocabulary differs from the target of tests/models/version-2");

  model.write("other-side", read_file(model / "text"));
  const auto translator = " -t " + model.at("text") + " " + model.at("other-side") +
                          " --train.threads 1 -m " + model.at("other");
  for (const auto& [command, says] : std::vector<std::pair<std::string, std::string>>{
           {"train --train.initial-model " + lm + translator,
            "LM is a language model; fine-tune it with nmt lm train, or use it with --lm"},
           {"train -c " + lm + "/config.yaml" + translator,
            "a language model is trained on one text; use nmt lm train"},
           {training + " --vocabulary-of models/sample --train.initial-model models/sample",
            "models/sample is a translator; use a language model"}}) {
    const auto result = run_program(command);
    INFO(command << "\n" << result.errors);
    CHECK(result.exit_code != 0);
    CHECK(contains(result.errors, says));
  }
}

}  // namespace nmt
