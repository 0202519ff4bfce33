// What nmt train refuses, when, and what it says when it ends.
#include <nlohmann/json.hpp>

#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "config/settings_io.h"
#include "files/line_reader.h"
#include "support/expect_error.h"
#include "terminal/pseudo_terminal.h"
#include "text/word_vocabulary.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

/// Replaces the digits, or other letters, by letters from `first` on.
void write_letters(const TrainingTexts& texts, char first) {
  for (const char* name : {"train.src", "train.tgt", "valid.src", "valid.tgt"}) {
    auto text = read_file(texts / name);
    for (char& c : text) {
      if (c > ' ') c = static_cast<char>(first + c % 8);
    }
    texts.write(name, text);
  }
}

}  // namespace

TEST_CASE("Whatever conflicts is refused before a vocabulary is trained", "[cli][checks]") {
  const TrainingTexts texts;
  texts.write("short.tgt", "1 2\n");
  texts.write("empty", "");
  struct Conflict {
    std::string settings;
    std::string says;
  };
  for (const auto& [settings, says] : std::vector<Conflict>{
           {"--train-sets " + texts.at("train.src") + " " + texts.at("short.tgt"),
            "the two must pair line by line"},
           {"--data.valid-target " + texts.at("short.tgt"), "the two must pair line by line"},
           {"--data.valid-target " + texts.at("absent"), "absent: no such file"},
           {"--train-sets " + texts.at("train.src") + " " + texts.at("train.src"),
            "data.train_target: " + texts.at("train.src") + " is also a file of data.train_source"},
           {"--data.valid-source " + texts.at("train.tgt"), "check the order of the validation"},
           {"--data.valid-source " + texts.at("empty") + " --data.valid-target " +
                texts.at("empty"),
            "is also a file of data.valid_source"},
           {"--train.device cuda", "no CUDA device"},
           {"--train.engine plain --train.precision float16", "float16 needs CUDA"},
           {"--vocab.target-size 8000 --vocab.target-model " + texts.at("absent"),
            "absent: cannot be read"},
           {"--vocab.joint true --model.embedding-size 48 --model.tied-embeddings target "
            "--train.freeze generator.output.weight",
            "'generator.output.weight' matches no parameter"},
           {"--vocab.source-size 8000 --train.initial-model models/sample --vocab.source-model "
            "models/sample/target.spm",
            "differs from the vocabulary of models/sample"}}) {
    INFO(settings);
    const auto refused = train(texts, settings);
    INFO(refused.errors);
    CHECK(refused.exit_code == 1);
    CHECK(contains(refused.errors, says));
    CHECK_FALSE(contains(refused.errors, "vocabulary  pieces"));
    CHECK_FALSE(fs::exists(texts / "model"));
  }
}

TEST_CASE("Settings of the command line are refused by the names that it has for them",
          "[cli][checks]") {
  const TrainingTexts texts;
  for (const auto& [settings, says] : std::vector<std::pair<std::string, std::string>>{
           {"--minutes 5 --train.max-minutes 7",
            "--minutes: also given as --train.max-minutes; use one of them"},
           {"--save-every 100 --save-every 5min", "--save-every: given 2 times; use it once"},
           {"--train.freeze a --train.freeze b", "--train.freeze: given 2 times; use it once"},
           {"--save-every 3hours",
            "--save-every: '3hours' is neither a number of updates nor of minutes; use e.g. 500"},
           {"--keep-best many", "--keep-best: 'many' is not a whole number"},
           {"--minutes -1", "nmt: --minutes: -1 is out of range"},
           {"--model.hidden-size 127", "nmt: --model.hidden-size: 127 is odd"},
           {"--device gpu", "--device: 'gpu' is none of cpu, cuda and cuda:N"}}) {
    const auto refused = train(texts, settings);
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.errors, says));
  }
}

TEST_CASE("Texts that seem swapped or misaligned are named, by the new run", "[cli][checks]") {
  const TrainingTexts texts;
  fs::copy(texts / "train.src", texts / "a.src");
  fs::copy(texts / "train.tgt", texts / "a.tgt");
  auto lines = read_file(texts / "a.tgt");
  const auto first = lines.find('\n') + 1;
  texts.write("late.tgt", lines.substr(first) + lines.substr(0, first));
  const auto pair = [&](const char* source, const char* target) {
    return texts.at(source) + " " + texts.at(target);
  };
  const auto command = [&](const std::string& more) {
    return "train --config /dev/null -m " + texts.at("model") + " --train-sets " + more +
           " --vocab.source-size 20 --vocab.target-size 20 --model.embedding-size 8 "
           "--model.hidden-size 8 --train.threads 1 --train.max-updates ";
  };
  CHECK_FALSE(contains(run_program(command(pair("a.src", "a.tgt")) + "1").errors, " seem"));
  const auto wrong = command(pair("a.src", "late.tgt") + " " + pair("a.tgt", "a.src") +
                             " --valid-sets " + pair("valid.tgt", "valid.src"));
  const auto warned = run_program(wrong + "1 --overwrite").errors;
  INFO(warned);
  CHECK(
      contains(warned, "late.tgt: about 100 % of the pairs seem misaligned; check them with nmt"));
  for (const char* swapped : {"a.src", "valid.src"}) {
    CHECK(contains(warned, texts.at(swapped) +
                               ": tgt to src by their names, but the training text is src to tgt"));
  }
  const auto resumed = run_program(wrong + "2 --resume");
  CHECK(contains(resumed.errors, "resuming "));
  CHECK_FALSE(contains(resumed.errors, " seem"));
  CHECK_FALSE(contains(resumed.errors, "by their names"));
  std::string german;
  std::string english;
  for (int i = 0; i < 20; ++i) {
    german += "Das ist ein Satz.\n";
    english += "That is the sentence.\n";
  }
  texts.write("b.de", english);
  texts.write("b.en", german);
  CHECK(contains(run_program(command(pair("b.de", "b.en")) + "1 --overwrite").errors,
                 "b.en: each seems to be in the language that the other is named after"));
}

TEST_CASE("Text that is split into subwords is named, unless the vocabulary reads tokens",
          "[cli][checks]") {
  const TrainingTexts texts;
  std::string all;
  std::string some;  // 4 % of the lines
  int lines = 0;
  for (const auto& line : read_lines(texts / "train.src")) {
    auto split = line;
    replace_all(split, " ", "@@ ");
    some += (lines++ % 25 == 0 ? split : line) + "\n";
    all += split + "\n";
  }
  texts.write("split.src", all);
  texts.write("some.src", some);
  std::vector<std::string> words;
  for (char digit = '1'; digit <= '6'; ++digit) {
    words.push_back(std::string(1, digit));
    words.push_back(std::string(1, digit) + "@@");
  }
  texts.write("words.spm", word_vocabulary(words, SpaceMarks::kContinued, "words"));
  const auto warned = [&](const char* source, const std::string& more) {
    return train(texts, "--train.max-updates 1 --overwrite --train-sets " + texts.at(source) + " " +
                            texts.at("train.tgt") + more)
        .errors;
  };
  const auto errors = warned("split.src", "");
  INFO(errors);
  CHECK(contains(errors, texts.at("split.src") +
                             ": 100 % of the lines are split into subwords (@@, ▁ or ￭), but nmt"));
  CHECK_FALSE(contains(errors, "train.tgt: 1"));
  CHECK_FALSE(contains(warned("some.src", ""), "subwords"));
  const auto tokens = warned(
      "split.src", " --vocab.source-size 8000 --vocab.source-model " + texts.at("words.spm"));
  CHECK(contains(tokens, "training corpus 2"));
  CHECK_FALSE(contains(tokens, "subwords"));
}

TEST_CASE("A text in another language than its vocabulary is named", "[cli][checks]") {
  const TrainingTexts texts;
  CHECK_FALSE(contains(train(texts, "--train.max-updates 1").errors, "unknown"));
  std::string korean;
  for (int i = 0; i < 600; ++i) korean += "저는 책을 읽어요.\n";
  texts.write("train.tgt", korean);
  const auto errors = train(texts,
                            "--train.max-updates 1 --overwrite --vocab.target-size 8000 "
                            "--vocab.target-model models/sample/target.spm")
                          .errors;
  INFO(errors);
  CHECK(
      contains(errors, "of the target tokens are unknown to the vocabulary; check the languages"));
  CHECK_FALSE(contains(errors, "of the source tokens"));
}

TEST_CASE("A setting of a file that has no effect is named once, by the new run", "[cli][checks]") {
  const TrainingTexts texts;
  texts.write("r_drop.yaml", "train: {r_drop_weight: 2, momentum: 0.5, seed: 2}\n");
  const auto settings = "-c " + texts.at("r_drop.yaml") + " --train.max-updates ";
  const auto trained = train(texts, settings + "1");
  INFO(trained.errors);
  REQUIRE(trained.exit_code == 0);
  CHECK(
      contains(trained.errors,
               "train.r_drop_weight: has no effect, because only train.objective r_drop reads it"));
  CHECK(contains(trained.errors, "train.momentum: has no effect"));
  CHECK_FALSE(contains(trained.errors, "train.seed"));
  const auto resumed = train(texts, settings + "2 --resume");
  REQUIRE(resumed.exit_code == 0);
  CHECK_FALSE(contains(resumed.errors, "has no effect"));
}

TEST_CASE("A conflict leaves the run that --restart would back up where it is", "[cli][checks]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-updates 2"));
  texts.write("short.tgt", "1 2\n");
  const auto model = texts.at("model");
  for (const auto& [settings, says] : std::vector<std::pair<std::string, std::string>>{
           {"--train-sets " + texts.at("train.src") + " " + texts.at("short.tgt"),
            "the two must pair line by line"},
           {"--train.initial-model " + model, "which --restart renames"},
           {"--vocab.source-size 8000 --vocab.source-model " + model + "/source.spm",
            "which --restart renames"},
           {"--data.valid-source " + model + "/config.yaml", "which --restart renames"},
           {"--vocab.source-size 8", "is too small for this text"}}) {  // after the renaming
    INFO(settings);
    const auto refused = train(texts, "--restart " + settings);
    CHECK(refused.exit_code == 1);
    CHECK(contains(refused.errors, says));
    CHECK(fs::exists(texts / "model/training_state.safetensors"));
    CHECK_FALSE(fs::exists(texts / "model.old-1"));
  }
}

TEST_CASE("A finished run names the limit that ended it", "[cli][checks]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-updates 2"));
  CHECK(contains(train(texts, "--train.max-updates 2").errors, "raise --train.max-updates"));
  CHECK(contains(train(texts, "--resume --train.max-updates 2").errors,
                 "raise --train.max-updates to continue"));
}

TEST_CASE("A run from an initial model records the vocabularies that the model brings",
          "[cli][checks]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-updates 2 --vocab.normalization nfkc"));
  const auto tuned = [&](const std::string& updates) {
    return run_program("train --config /dev/null --train-sets " + texts.at("train.src") + " " +
                       texts.at("train.tgt") + " --train.initial-model " + texts.at("model") +
                       " -m " + texts.at("tuned") +
                       " --model.embedding-size 24 --model.hidden-size 48 --train.threads 2 "
                       "--train.max-updates " +
                       updates);
  };
  REQUIRE(tuned("2").exit_code == 0);
  const auto before = load_settings(texts / "model/config.yaml");
  const auto after = load_settings(texts / "tuned/config.yaml");
  for (const auto& change : changed_settings(before, after)) {
    INFO(change.name);
    CHECK(change.name.rfind("vocab.", 0) != 0);
  }
  const auto resumed = tuned("3 --resume");
  INFO(resumed.errors);
  CHECK(resumed.exit_code == 0);
  CHECK(contains(resumed.errors, "changed: train.max_updates 2 → 3\n"));
}

TEST_CASE("A run from a model of lower-cased text resumes exactly on text with capitals",
          "[cli][resume]") {
  const TrainingTexts texts;
  write_letters(texts, 'a');
  require_success(train(texts, "--train.max-updates 2"));
  write_letters(texts, 'A');
  const auto tune = [&](const std::string& model, const std::string& more) {
    require_success(
        run_program("train --config /dev/null --train-sets " + texts.at("train.src") + " " +
                    texts.at("train.tgt") + " --train.initial-model " + texts.at("model") + " -m " +
                    texts.at(model) +
                    " --model.embedding-size 24 --model.hidden-size 48 --train.threads 2 "
                    "--data.source-subword-sampling 0.1 --train.max-updates " +
                    more));
  };
  tune("whole", "24");
  tune("resumed", "8");
  tune("resumed", "24 --resume");
  const bool same_bits =
      read_file(texts / "resumed/last.safetensors") == read_file(texts / "whole/last.safetensors");
  CHECK(same_bits);
}

TEST_CASE("A model of lower-cased text reads capitals as small letters in every command",
          "[cli][checks]") {
  const TrainingTexts texts;
  write_letters(texts, 'a');
  require_success(
      train(texts, "--train.learning-rate 0.01 --train.max-updates 60 --train.max-epochs 0"));
  texts.write("small", "b c d\n");
  texts.write("large", "B C D\n");
  const auto same = [&](const std::string& before, const std::string& after) {
    const auto with = [&](const std::string& text) {
      return run_program(before + texts.at(text) + after + " -m " + texts.at("model")).output;
    };
    INFO(before);
    CHECK(with("small").size() > 1);  // more than the end of the line
    CHECK(with("large") == with("small"));
  };
  same("translate -i ", "");
  same("score -s ", " -t " + texts.at("small"));
  same("score -s " + texts.at("small") + " -t ", "");
  same("align -s ", " -t " + texts.at("small"));
}

TEST_CASE("A resumed run reports only what somebody changed", "[cli][checks]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-updates 2"));
  const auto resumed = run_program("train --resume -m " + texts.at("model") +
                                   " --train.max-updates 3 --train.threads 2");
  INFO(resumed.errors);
  CHECK(resumed.exit_code == 0);
  CHECK(contains(resumed.errors, "changed: train.max_updates 2 → 3\n"));
}

TEST_CASE("A changed network is refused as such, also where it fits nothing", "[cli][checks]") {
  const TrainingTexts texts;
  const std::string tied =
      "--model.embedding-size 48 --model.tied-embeddings target --train.max-updates ";
  require_success(train(texts, tied + "2"));
  for (const auto& command :
       {training_command(texts, tied + "3 --resume --model.hidden-size 64"),
        "train --resume -m " + texts.at("model") + " --model.hidden-size 64"}) {
    const auto refused = run_program(command);
    INFO(refused.errors);
    CHECK(refused.exit_code == 1);
    CHECK(contains(refused.errors, "cannot change within a run: model.hidden_size 48 → 64"));
  }
}

TEST_CASE("Texts that are empty or not UTF-8 are refused before anything is said of them",
          "[cli][checks]") {
  const TemporaryFolder texts;
  texts.write("empty.src", "");
  texts.write("empty.tgt", "");
  texts.write("euc.src", "\xB3\xAA\n");
  texts.write("euc.tgt", "I\n");
  const auto refusal = [&](const std::string& name) {
    return run_program("train --train-sets " + texts.at(name + ".src") + " " +
                       texts.at(name + ".tgt") + " -m " + texts.at("model"))
        .errors;
  };
  CHECK(refusal("empty") == "nmt: " + texts.at("empty.src") + " and " + texts.at("empty.tgt") +
                                ": the corpus is empty\n");
  const auto not_utf8 = refusal("euc");
  CHECK(contains(not_utf8, "nmt: " + texts.at("euc.src") + ": line 1: byte 1 is not valid UTF-8"));
  CHECK(contains(not_utf8, "iconv"));
  CHECK_FALSE(contains(not_utf8, "chosen for"));
  CHECK_FALSE(contains(not_utf8, "too few"));
}

TEST_CASE("A language model is trained on lines of one text", "[cli][checks]") {
  const TrainingTexts texts;
  texts.write("empty", "");
  const auto refused =
      run_program("lm train --text " + texts.at("empty") + " -m " + texts.at("model"));
  CHECK(refused.errors == "nmt: " + texts.at("empty") + ": the corpus is empty\n");
  const auto trained =
      run_program("lm train --text " + texts.at("valid.src") + " -m " + texts.at("model") +
                  " --vocab.source-size 20 --model.embedding-size 8 --model.hidden-size 8 "
                  "--train.max-updates 1 --train.threads 1");
  INFO(trained.errors);
  REQUIRE(trained.exit_code == 0);
  CHECK(contains(trained.errors, " different sentences are too few"));
  CHECK(contains(trained.errors, "without early stopping; use --valid\n"));
  CHECK(contains(trained.errors, "training corpus  lines 20 of 20  tokens "));
}

TEST_CASE("--resume where nothing is says so", "[cli][checks]") {
  const TemporaryFolder folder;
  for (const char* command : {"train", "lm train"}) {
    const auto result =
        run_program(std::string(command) + " --resume --model-dir " + folder.at("nothing"));
    CHECK(result.exit_code == 1);
    CHECK(contains(result.errors, "nothing: no run to resume"));
    CHECK_FALSE(fs::exists(folder / "nothing"));
  }
}

TEST_CASE("Verifying resumption saves checkpoints, and leaves nothing behind", "[cli][checks]") {
  const TrainingTexts texts;
  const TemporaryFolder temporary;
  for (int i = 0; i < 2; ++i) {
    // Learns enough in four updates to have a model to save.
    const auto result =
        run_program(training_command(texts, "--verify-resume --train.learning-rate 0.01"),
                    "TMPDIR='" + temporary.path().string() + "'");
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    CHECK(contains(result.errors, "  best"));
    CHECK_FALSE(contains(result.errors, "cannot be written"));
    CHECK_FALSE(fs::exists(texts / "model"));
    CHECK(fs::is_empty(temporary.path()));
  }
}

TEST_CASE("Minimum risk training of random weights is warned of", "[cli][checks]") {
  const TrainingTexts texts;
  const auto settings = std::string("--objective mrt --train.max-updates 2 ");
  CHECK(contains(train(texts, settings).errors, "starts from random weights"));
}

TEST_CASE("A model that never beat guessing is not called one", "[cli][checks]") {
  const TrainingTexts texts;
  const auto result = train(texts,
                            "--train.learning-rate 100 --train.max-updates 20 "
                            "--validation.interval 10");
  INFO(result.errors);
  CHECK(result.exit_code == 1);
  CHECK(contains(result.errors, "no better than guessing"));
  CHECK(contains(result.errors, "so there is no model"));
  CHECK(contains(result.errors, "perplexity >1e6"));
  CHECK_FALSE(contains(result.errors, "  best"));
  CHECK_FALSE(contains(result.errors, "inf"));
  CHECK_FALSE(fs::exists(texts / "model/model.safetensors"));
  // Twenty updates are few.
  CHECK(contains(result.errors,
                 "after only 20 updates (max_updates reached); raise "
                 "--train.max-updates, and use --restart"));
  CHECK_FALSE(contains(result.errors, "check that the corpora pair"));
}

TEST_CASE("A validation no better than guessing is not the best, whatever its score",
          "[cli][checks]") {
  const TrainingTexts texts;
  require_success(train(texts,
                        "--train.max-epochs 0 --train.max-updates 150 --train.learning-rate 0.01 "
                        "--validation.interval 150"));
  for (const char* name : {"train.tgt", "valid.tgt"}) {  // the model knows other digits
    auto text = read_file(texts / name);
    for (char& c : text) {
      if (c > ' ') c = static_cast<char>('1' + '6' - c);
    }
    texts.write(name, text);
  }
  const auto falling = texts.write(
      "rate", "#!/bin/sh\ncd \"$(dirname \"$0\")\"; echo run >> runs\necho -$(wc -l < runs)\n");
  fs::permissions(falling, fs::perms::owner_all);
  const auto tuned = run_program(
      "train --config /dev/null --train-sets " + texts.at("train.src") + " " +
      texts.at("train.tgt") + " --valid-sets " + texts.at("valid.src") + " " +
      texts.at("valid.tgt") + " --train.initial-model " + texts.at("model") + " -m " +
      texts.at("tuned") +
      " --model.embedding-size 24 --model.hidden-size 48 --train.threads 1 "
      "--data.batch-size 32 --train.learning-rate 5e-3 --validation.metric script "
      "--validation.script " +
      falling.string() + " --validation.interval 2 --validation.patience 0 --train.max-updates 30");
  INFO(tuned.errors);
  REQUIRE(tuned.exit_code == 0);
  CHECK(contains(tuned.errors, "update 2: the model is no better than guessing"));
  const auto summary = nlohmann::json::parse(read_file(texts / "tuned/training.json"));
  REQUIRE(summary.at("best").is_object());
  CHECK(summary["best"].at("update") > 2);
}

TEST_CASE("An initial model that training does not improve on remains the best", "[cli][checks]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-epochs 0 --train.max-updates 150"));
  const auto tuned =
      run_program("train --config /dev/null --train-sets " + texts.at("train.src") + " " +
                  texts.at("train.tgt") + " --valid-sets " + texts.at("valid.src") + " " +
                  texts.at("valid.tgt") + " --train.initial-model " + texts.at("model") + " -m " +
                  texts.at("tuned") +
                  " --model.embedding-size 24 --model.hidden-size 48 --train.threads 1 "
                  "--train.learning-rate 0.5 --validation.interval 1 --train.max-updates 2");
  INFO(tuned.errors);
  REQUIRE(tuned.exit_code == 0);
  CHECK(contains(tuned.errors, "validation  update 0  "));
  CHECK(contains(tuned.errors, "training did not improve on " + texts.at("model")));
  const auto scores = [&](const char* model) {
    return run_program("score -m " + texts.at(model) + " -s " + texts.at("valid.src") + " -t " +
                       texts.at("valid.tgt"))
        .output;
  };
  CHECK(scores("tuned") == scores("model"));
}

TEST_CASE("Validation, confidence and adapting read placeholders as training does",
          "[cli][checks]") {
  const TrainingTexts texts;
  for (const auto& [name, lines] :
       std::vector<std::pair<std::string, int>>{{"train", 600}, {"valid", 60}}) {
    std::string source;
    std::string target;
    for (int i = 0; i < lines; ++i) {
      const auto digits = std::to_string(i % 6 + 1) + " " + std::to_string(i / 6 % 6 + 1);
      const auto url = "https://example.org/" + name + "/" + std::to_string(i);
      source += digits + " " + url + "\n";
      target += url + " " + digits + "\n";
    }
    texts.write(name + ".src", source);
    texts.write(name + ".tgt", target);
  }
  require_success(
      train(texts, "--train.learning-rate 0.01 --train.max-updates 60 --train.max-epochs 0"));
  const auto summary = nlohmann::json::parse(read_file(texts / "model/training.json"));
  CHECK(summary.at("best").at("bleu") > 90);
  const auto confidence = nlohmann::json::parse(read_file(texts / "model/confidence.json"));
  CHECK(confidence.at("chrf") > 0.9);
  const auto adapted =
      run_program("adapt -m " + texts.at("model") + " -s " + texts.at("valid.src") + " -t " +
                  texts.at("valid.tgt") + " -o " + texts.at("adapted"));
  CHECK(contains(adapted.output, "after 0 steps"));  // it knows them
}

TEST_CASE("Lines that are blank or have no letters do not count towards what confidence needs",
          "[cli][checks]") {
  const TrainingTexts texts;
  write_letters(texts, 'a');
  std::string more;
  for (int i = 0; i < 40; ++i) more += "-\n";
  const std::string blank(40, '\n');
  for (const char* side : {"src", "tgt"}) {
    const auto train = std::string("train.") + side;
    texts.write(train, read_file(texts / train) + more);
    const auto valid = std::string("valid.") + side;
    texts.write(valid, read_file(texts / valid) + more + blank);
  }
  const auto trained =
      train(texts, "--train.learning-rate 0.01 --train.max-updates 60 --train.max-epochs 0");
  require_success(trained);
  CHECK(contains(trained.errors, "no confidence"));
}

TEST_CASE("The best checkpoints of a run with default settings are averaged", "[cli][checks]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-epochs 3"));
  const auto average = "average " + texts.at("model") + " --output " + texts.at("mean");
  const auto result = run_program(average);
  require_success(result);
  CHECK(contains(result.output, "the mean of 3 best checkpoints"));
  require_success(run_program("translate -m " + texts.at("mean"), "echo '1 2' |"));
}

TEST_CASE("A terminal without escape sequences gets lines instead of a bar", "[cli][checks]") {
  const TrainingTexts texts;
  const auto command = training_command(texts, "--train.max-updates 2 --train.log-every 1");
  PseudoTerminal terminal("env TERM=dumb COLORTERM=truecolor '" NMT_PROGRAM "' " + command, 999,
                          99);
  CHECK(terminal.wait() == 0);
  CHECK(contains(terminal.written(), "epoch 1  update 2  loss "));
  CHECK_FALSE(contains(terminal.written(), "\x1b"));
}

}  // namespace nmt
