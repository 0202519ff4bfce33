// nmt train without a validation set: what it holds out, leaves out of training and reports.
#include <nlohmann/json.hpp>

#include "cli/child_program.h"
#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "files/line_reader.h"
#include "support/expect_error.h"
#include "text/sentence_key.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

constexpr char kSmall[] =
    " --vocab.source-size 20 --vocab.target-size 20 --vocab.type bpe --model.embedding-size 24 "
    "--model.hidden-size 48 --train.learning-rate 5e-3 --train.threads 1 --data.batch-size 32 "
    "--validation.interval 10 --train.max-updates 20 ";

struct Texts : TemporaryFolder {
  Texts() {
    write_reversal(*this, "a", 600, 1);
    write_reversal(*this, "b", 300, 2);
  }
  std::string command(const std::string& more, const std::string& model = "model",
                      const std::string& corpora = "a") const {
    std::string sets;
    for (const char corpus : corpora) {
      sets += " " + at(std::string(1, corpus) + ".src") + " " + at(std::string(1, corpus) + ".tgt");
    }
    return "train --train-sets" + sets + " --model-dir " + at(model) + kSmall + more;
  }
  ProgramResult train(const std::string& more, const std::string& model = "model",
                      const std::string& corpora = "a") const {
    auto result = run_program(command(more, model, corpora));
    require_success(result);
    return result;
  }
  nlohmann::json summary(const std::string& model = "model") const {
    return nlohmann::json::parse(read_file(*this / model / "training.json"));
  }
  std::string text(const std::string& name) const { return read_file(*this / name); }
};

HeldOutSentences sentences_of(const std::vector<std::string>& files) {
  HeldOutSentences sentences;
  for (const auto& file : files) {
    for (const auto& line : read_lines(file)) sentences.insert(line);
  }
  return sentences;
}

int64_t training_pairs(const Texts& texts, const std::string& corpora,
                       const HeldOutSentences& held_out) {
  int64_t pairs = 0;
  for (const char corpus : corpora) {
    const auto source = read_lines(texts.at(std::string(1, corpus) + ".src"));
    const auto target = read_lines(texts.at(std::string(1, corpus) + ".tgt"));
    for (size_t i = 0; i < source.size(); ++i) {
      pairs += held_out.contains(source[i]) || held_out.contains(target[i]) ? 0 : 1;
    }
  }
  return pairs;
}

bool is_private(const fs::path& path) {
  REQUIRE(fs::exists(path));
  return (fs::status(path).permissions() & fs::perms(0077)) == fs::perms::none;
}

}  // namespace

TEST_CASE("Training without a validation set holds one out, and reports a test score",
          "[cli][heldout]") {
  const Texts texts;
  fs::permissions(texts / "a.src", fs::perms::owner_read | fs::perms::owner_write);
  REQUIRE(::system(("gzip -k " + texts.at("b.src") + " && mv " + texts.at("b.src.gz") + " " +
                    texts.at("c.src") + " && cp " + texts.at("b.tgt") + " " + texts.at("c.tgt"))
                       .c_str()) == 0);
  const auto trained = texts.train("--data.train-weights 1,2", "model", "ac");
  const auto folder = texts.at("model/held-out/");
  CHECK(contains(trained.errors, folder + "valid.src " + folder + "valid.tgt"));
  const auto valid = sentences_of({folder + "valid.src", folder + "valid.tgt"});
  for (const char* side : {"src", "tgt"}) {
    for (const auto& line : read_lines(folder + "test." + side)) CHECK_FALSE(valid.contains(line));
  }
  const auto all = sentences_of(
      {folder + "valid.src", folder + "valid.tgt", folder + "test.src", folder + "test.tgt"});
  auto summary = texts.summary();
  CHECK(summary.at("pairs_kept") == training_pairs(texts, "ab", all));
  CHECK(summary.at("pairs_read") == 900);

  const auto command = summary.at("test").at("command").get<std::string>();
  CHECK(contains(trained.errors, command));
  const auto evaluated = run_program(command.substr(4) + " --json");
  REQUIRE(evaluated.exit_code == 0);
  const auto scores = nlohmann::json::parse(evaluated.output);
  for (const char* metric : {"bleu", "chrf", "ter"}) {
    CHECK(scores.at(metric).at("score") == summary.at("test").at(metric));
  }
  CHECK(scores.at("lines") == summary.at("test").at("pairs"));
  const auto info = run_program("info " + texts.at("model"));
  CHECK(contains(info.output, command));

  // As if it had been killed while the test set was scored.
  const auto scored = summary.at("test");
  summary.erase("test");
  texts.write("model/training.json", summary.dump());
  require_success(run_program("train --resume -m " + texts.at("model")));
  CHECK(texts.summary().at("test") == scored);

  // The same sets for another model, from the stored settings.
  const auto config = "train --config " + texts.at("model/config.yaml") + " -m " + texts.at("copy");
  require_success(run_program(config));
  CHECK(texts.summary("copy").at("pairs_kept") == summary.at("pairs_kept"));
  CHECK(texts.text("copy/model.safetensors") == texts.text("model/model.safetensors"));
  CHECK_FALSE(fs::exists(texts / "copy/held-out"));

  for (const char* copy : {"model/held-out", "model/held-out/valid.tgt", "model/held-out/test.src",
                           "model/metrics.jsonl", "copy/metrics.jsonl"}) {
    INFO(copy);
    CHECK(is_private(texts / copy));
  }
}

TEST_CASE("A run with held-out sets is killed, changed, restarted and replaced", "[cli][heldout]") {
  const Texts texts;
  const std::string sampled =
      "--data.source-subword-sampling 0.1 --data.case-augmentation 0.2 --train.log-every 1 "
      "--train.max-updates 60 --save-every 5 ";
  texts.train(sampled, "straight");
  const auto command = texts.command(sampled);
  {
    ChildProgram program(command, texts.at("log"));
    const auto metrics = texts / "model/metrics.jsonl";
    REQUIRE(program.wait_until(
        [&] { return fs::exists(metrics) && count_lines(read_file(metrics)) > 20; }));
    program.send(SIGKILL);
    program.wait();
  }
  // Where the directory is now.
  fs::rename(texts / "model", texts / "moved");
  CHECK(contains(run_program(texts.command(sampled + "--data.hold-out 0", "moved")).errors,
                 "data.hold_out"));
  const auto held_out = texts.text("moved/held-out/valid.src");
  texts.write("moved/held-out/valid.src", held_out + held_out);
  texts.write("moved/held-out/valid.tgt", texts.text("moved/held-out/valid.tgt") + held_out);
  CHECK(
      contains(run_program(texts.command(sampled, "moved")).errors, "the validation source text"));
  for (const char* name : {"valid.src", "valid.tgt"}) {
    texts.write(std::string("moved/held-out/") + name,
                texts.text(std::string("straight/held-out/") + name));
  }
  texts.train(sampled, "moved");
  for (const char* name : {"model.safetensors", "last.safetensors", "held-out/test.src"}) {
    const bool same =
        texts.text(std::string("moved/") + name) == texts.text(std::string("straight/") + name);
    CHECK(same);
  }
  CHECK(texts.summary("moved").at("test").at("bleu") ==
        texts.summary("straight").at("test").at("bleu"));

  require_success(run_program("train --restart -m " + texts.at("moved")));
  CHECK(texts.text("moved/held-out/valid.src") == held_out);
  CHECK(texts.text("moved.old-1/held-out/valid.src") == held_out);
  // A run that ends before it replaces this one leaves its sets alone.
  for (const char* sets : {"--data.hold-out 20", "--data.hold-out 0"}) {
    const auto failed = run_program(
        texts.command(std::string("--overwrite --vocab.source-size 8 ") + sets, "moved", "b"));
    CHECK(failed.exit_code == 1);
    CHECK(texts.text("moved/held-out/valid.src") == held_out);
  }
  CHECK_FALSE(fs::exists(texts / "moved/held-out.old"));
  texts.train("--overwrite --data.hold-out 0", "moved");
  CHECK_FALSE(fs::exists(texts / "moved/held-out"));
  CHECK_FALSE(fs::exists(texts / "moved/held-out.old"));
  CHECK(texts.summary("moved").at("pairs_kept") == 600);
  CHECK_FALSE(texts.summary("moved").contains("test"));
  // Nor does it leave its own where there are none, over a run or a model alone.
  for (const char* state : {"training_state.safetensors", "none"}) {
    const auto failed = run_program(
        texts.command("--overwrite --vocab.source-size 8 --data.hold-out 20", "moved", "b"));
    CHECK(contains(failed.errors, "held out of training"));
    CHECK(contains(failed.errors, "too small for this text"));
    CHECK_FALSE(fs::exists(texts / "moved/held-out"));
    CHECK(fs::exists(texts / "moved/model.safetensors"));
    fs::remove(texts / "moved" / state);
  }
}

TEST_CASE("Held-out sets that a command names are not replaced by others", "[cli][heldout]") {
  const Texts texts;
  texts.train("");
  const auto folder = texts.at("model/held-out/");
  const auto sets = " --valid-sets " + folder + "valid.src " + folder + "valid.tgt --test-sets " +
                    folder + "test.src " + folder + "test.tgt";
  const auto valid = texts.text("model/held-out/valid.src");
  const auto test = texts.text("model/held-out/test.src");
  for (const char* flag : {"--overwrite", "--restart"}) {
    const auto refused =
        run_program(texts.command(flag + (" --data.hold-out 1" + sets), "model", "ab"));
    CHECK(refused.exit_code == 1);
    CHECK(contains(refused.errors,
                   folder + "valid.src: would be replaced by another set; copy it elsewhere"));
    CHECK(texts.text("model/held-out/test.src") == test);
    CHECK(fs::exists(texts / "model/model.safetensors"));
  }
  const auto pairs = std::min(count_lines(valid), count_lines(test));
  texts.train("--overwrite --data.hold-out " + std::to_string(pairs) + sets);
  CHECK(texts.text("model/held-out/valid.src") == valid);
  // Nothing is held out: the sets stay where they are.
  texts.train("--overwrite" + sets, "model", "ab");
  CHECK(texts.text("model/held-out/valid.src") == valid);
  CHECK(texts.summary().at("pairs_kept") == 900);
}

TEST_CASE("What is held out is a setting, and what is given is used", "[cli][heldout]") {
  const Texts texts;
  write_reversal(texts, "v", 20, 3);
  write_reversal(texts, "t", 30, 4);
  const auto valid = "--valid-sets " + texts.at("v.src") + " " + texts.at("v.tgt") + " ";
  const auto test = "--test-sets " + texts.at("t.src") + " " + texts.at("t.tgt") + " ";

  const auto given = texts.train(valid + test, "given");
  CHECK_FALSE(fs::exists(texts / "given/held-out"));
  CHECK(texts.summary("given").at("pairs_kept") == 600);
  CHECK(texts.summary("given").at("test").at("pairs") == 30);
  write_reversal(texts, "u", 40, 5);
  texts.train(valid + "--resume --test-sets " + texts.at("u.src") + " " + texts.at("u.tgt"),
              "given");
  CHECK(texts.summary("given").at("test").at("pairs") == 40);

  texts.train(valid + "--data.hold-out 15", "asked");
  CHECK_FALSE(fs::exists(texts / "asked/held-out/valid.src"));
  CHECK(texts.summary("asked").at("test").at("pairs") == 15);
  CHECK(texts.summary("asked").at("pairs_kept") ==
        training_pairs(
            texts, "a",
            sentences_of({texts.at("v.src"), texts.at("v.tgt"), texts.at("asked/held-out/test.src"),
                          texts.at("asked/held-out/test.tgt")})));

  texts.train(test, "tested");
  CHECK(fs::exists(texts / "tested/held-out/valid.src"));
  CHECK_FALSE(fs::exists(texts / "tested/held-out/test.src"));
  CHECK(texts.summary("tested").at("test").at("pairs") == 30);

  const auto refused = run_program(texts.command("--data.hold-out 400", "refused"));
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.errors, "400 pairs for each held-out set"));
  CHECK_FALSE(fs::exists(texts / "refused"));

  write_reversal(texts, "s", 50, 5);
  const auto small = texts.train("", "small", "s");
  CHECK(contains(small.errors, "too few to hold out"));
  CHECK(texts.summary("small").at("pairs_kept") == 50);
  CHECK(texts.train("--verify-resume", "verified").exit_code == 0);
}

TEST_CASE("Where nothing can be held out, no schedule waits for validations", "[cli][heldout]") {
  const Texts texts;
  std::string source;
  std::string target;
  for (int i = 0; i < 300; ++i) {  // enough pairs, too few sentences
    source += "n" + std::to_string(i / 2) + "\n";
    target += "t" + std::to_string(i) + "\n";
  }
  texts.write("n.src", source);
  texts.write("n.tgt", target);
  ChildProgram program(
      texts.command("--train.max-updates auto --train.log-every 1", "unvalidated", "n"),
      texts.at("log"));
  REQUIRE(program.wait_until([&] { return contains(texts.text("log"), "update 1 "); }));
  program.send(SIGTERM);
  CHECK(program.wait() == 128 + SIGTERM);
  CHECK(contains(texts.text("log"), "schedule linear, since there is no validation set"));
  CHECK(contains(texts.text("unvalidated/config.yaml"), "  schedule: linear\n"));
}

TEST_CASE("A run whose held-out sets differ in size can be restarted", "[cli][heldout]") {
  const Texts texts;
  std::string source;
  std::string target;
  for (int i = 0; i < 399; ++i) {  // 33 pairs can be held out, each target standing in three
    source += "n" + std::to_string(i) + "\n";
    target += "t" + std::to_string(i / 3) + "\n";
  }
  texts.write("n.src", source);
  texts.write("n.tgt", target);
  texts.train("", "uneven", "n");
  const auto pairs = [&](const std::string& set) {
    return count_lines(texts.text("uneven/held-out/" + set + ".src"));
  };
  CHECK(pairs("valid") != pairs("test"));
  const auto restarted = run_program("train --restart -m " + texts.at("uneven"));
  INFO(restarted.errors);
  CHECK(restarted.exit_code == 0);
}

TEST_CASE("Two texts are all that training needs", "[cli][heldout]") {
  const Texts texts;
  require_success(run_program(std::string("train --train-sets a.src a.tgt") + kSmall,
                              "cd '" + texts.path().string() + "' &&"));
  CHECK(texts.summary("models/src-tgt").at("test").at("command") ==
        "nmt evaluate --model-dir models/src-tgt --source models/src-tgt/held-out/test.src "
        "--reference models/src-tgt/held-out/test.tgt");
}

TEST_CASE("A run that was moved reads the sets that it held out", "[cli][heldout]") {
  const Texts texts;
  const auto in_folder = "cd '" + texts.path().string() + "' &&";
  require_success(
      run_program(std::string("train --train-sets a.src a.tgt -m here") + kSmall, in_folder));
  fs::rename(texts / "here", texts / "there");
  const auto config = texts.text("there/config.yaml");
  CHECK(contains(config, "valid_source: here/held-out/valid.src"));

  const auto lost = run_program("train --resume -m " + texts.at("there"));
  CHECK(lost.exit_code == 1);
  CHECK(contains(lost.errors, "a.src: no such file; resume the run in the directory where it was"));
  const auto calibrated = run_program("calibrate -m " + texts.at("there"));
  CHECK_FALSE(contains(calibrated.errors, "cannot be read"));
  require_success(
      run_program("report " + texts.at("there") + " --threads 1 -o " + texts.at("report.html")));
  CHECK_FALSE(contains(texts.text("report.html"), "valid.src: no such file"));
  CHECK(texts.text("there/config.yaml") == config);

  require_success(run_program("train --resume -m there", in_folder));
  CHECK(contains(texts.text("there/config.yaml"), "valid_source: there/held-out/valid.src"));
}

TEST_CASE("A language model is validated on lines that it was not trained on", "[cli][heldout]") {
  const Texts texts;
  const auto trained =
      run_program("lm train --text " + texts.at("a.src") + " -m " + texts.at("lm") + kSmall);
  require_success(trained);
  const auto held_out = sentences_of({texts.at("lm/held-out/valid.txt")});
  CHECK(texts.summary("lm").at("pairs_kept") == [&] {
    int64_t lines = 0;
    for (const auto& line : read_lines(texts.at("a.src"))) lines += held_out.contains(line) ? 0 : 1;
    return lines;
  }());
  CHECK(contains(trained.errors, "validation  update 20"));
}

}  // namespace nmt
