// One model with several target languages, from training to scores.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "files/line_reader.h"
#include "support/expect_error.h"
#include "terminal/pseudo_terminal.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

/// Digits, which "de" reverses and "fr" writes as letters.
struct TwoLanguages : TemporaryFolder {
  TwoLanguages() {
    write_reversal(*this, "a", 900, 1);
    auto letters = read_file(*this / "a.src");
    for (auto& c : letters) {
      if (c >= '1') c = static_cast<char>(c - '1' + 'a');
    }
    write("a.fr", letters);
  }

  ProgramResult train(const std::string& more, const std::string& model = "model",
                      const std::string& languages = "de,fr") const {
    return run_program("train --config /dev/null --train-sets " + at("a.src") + " " + at("a.tgt") +
                       " " + at("a.src") + " " + at("a.fr") + " --model-dir " + at(model) +
                       " --data.train-languages " + languages +
                       " --vocab.source-size 20 "
                       "--vocab.target-size 30 --vocab.type bpe --model.embedding-size 24 "
                       "--model.hidden-size 48 --model.dropout 0 --train.learning-rate 5e-3 "
                       "--train.threads 2 --data.batch-size 32 --validation.metric bleu " +
                       more);
  }

  std::string translate(const std::string& lines, const std::string& more = "") const {
    write("input", lines);
    const auto result = run_program("translate -m " + at("model") + " -i " + at("input") + more);
    require_success(result);
    return result.output;
  }
};

}  // namespace

TEST_CASE("A model translates into the language that it is told", "[cli][end-to-end]") {
  const TwoLanguages texts;
  const auto trained = texts.train("--train.max-epochs 12 --data.sampling-temperature 5");
  require_success(trained);
  // All corpora are held out from, and the sets name the language of each line.
  const auto sources = read_lines(texts.at("model/held-out/test.src"));
  for (const auto* marker : {"<2de> ", "<2fr> "}) {
    CHECK(std::any_of(sources.begin(), sources.end(),
                      [&](const auto& line) { return line.rfind(marker, 0) == 0; }));
  }
  const auto summary = nlohmann::json::parse(read_file(texts / "model/training.json"));
  CHECK(summary.at("test").at("bleu") > 60);
  CHECK(summary.at("best").at("bleu") > 60);

  const std::string german = "5 4 1 2\n3 6\n";
  const std::string french = "b a d e\nf c\n";
  const std::string source = "2 1 4 5\n6 3\n";
  CHECK(texts.translate(source, " --to de") == german);
  CHECK(texts.translate(source, " --to fr") == french);
  CHECK(texts.translate(source, " --to fr --engine plain") == french);
  CHECK(texts.translate("<2fr> 2 1 4 5\n<2de> 6 3\n\n<2fr>  \n") == "b a d e\n3 6\n\n\n");
  // The token has no place in alignments.
  const auto aligned = texts.translate("6 3\n", " --to de --json --n-best 2");
  const auto json = nlohmann::json::parse(aligned);
  CHECK(json.at("source_words") == nlohmann::json({"6", "3"}));
  const auto& best = json.at("candidates").at(0);
  CHECK(best.at("alignment") == "1-0 0-1");

  // A report reads from all of a text, and its sentences without the language.
  texts.write("all", "<2de> 2 1 4 5\n<2de> 6 3\n<2fr> 2 1 4 5\n<2fr> 6 3\n");
  texts.write("right", german + french);
  require_success(run_program("report " + texts.at("model") + " -s " + texts.at("all") + " -r " +
                              texts.at("right") + " --sentences 2 -o " + texts.at("page")));
  const auto report = read_file(texts / "page");
  CHECK(contains(report, "BLEU 100.00"));
  CHECK(contains(report, "<dd>2 1 4 5</dd>"));
  CHECK(contains(report, "<strong>5 4 1 2</strong>"));
  CHECK(contains(report, "<strong>b a d e</strong>"));
  CHECK(contains(report, "</span>3 · chrF2 100.0"));

  // Each language's own translation is likelier.
  const auto score = [&](const std::string& to, const std::string& target) {
    texts.write("one", "2 1 4 5\n");
    texts.write("other", target + "\n");
    const auto result = run_program("score -m " + texts.at("model") + " -s " + texts.at("one") +
                                    " -t " + texts.at("other") + " --to " + to);
    INFO(result.errors);
    return std::stod(result.output);
  };
  CHECK(score("de", "5 4 1 2") > score("de", "b a d e") + 5);
  CHECK(score("fr", "b a d e") > score("fr", "5 4 1 2") + 5);

  // Words are counted without it, in both directions.
  texts.write("marked", "<2de> 6 3\n");
  texts.write("reversed", "3 6\n");
  const auto pairs = " -s " + texts.at("marked") + " -t " + texts.at("reversed");
  const auto aligned_pair = run_program("align -m " + texts.at("model") + pairs);
  INFO(aligned_pair.errors);
  CHECK(aligned_pair.output == "1-0 0-1\n");
  const auto compared_with = [&](const std::string& gold) {
    texts.write("gold", gold);
    return run_program("align -m " + texts.at("model") + pairs + " --gold " + texts.at("gold"))
        .errors;
  };
  CHECK(contains(compared_with("1-0 0-1\n"), "AER 0.0000"));
  CHECK(contains(compared_with("2-0\n"),
                 "gold: line 1: link 2-0 is outside the pair, which has 2 and 2 words"));
  const auto both = " --reverse " + texts.at("model");
  require_success(run_program("align -m " + texts.at("model") + pairs + both + " --reverse-to de"));
  texts.write("reversed", "<2de> 3 6\n");
  require_success(run_program("align -m " + texts.at("model") + pairs + both));

  // Lines that are typed may name their languages, too.
  const auto interactive = "interactive -m " + texts.at("model");
  CHECK(run_program(interactive, "printf '<2fr> 2 1 4 5\\n<2de> 6 3\\n' |").output ==
        "b a d e\n3 6\n");
  PseudoTerminal terminal("env TERM=xterm-256color XDG_STATE_HOME='" + texts.path().string() +
                              "' '" NMT_PROGRAM "' " + interactive,
                          80, 24);
  REQUIRE(terminal.shows("\n>"));
  terminal.type("<2fr> 2 1 4 5\r");
  CHECK(terminal.shows("b a d e\n>"));
  terminal.type(":to de\r");
  CHECK(terminal.shows("translating into de\n>"));
  terminal.type("6 3\r");
  CHECK(terminal.shows("3 6\n>"));
  terminal.type(":to fr\r");
  CHECK(terminal.shows("translating into fr\n>"));
  terminal.type(":alternatives 1\r");
  CHECK(terminal.shows("no translation into this language yet; type a sentence first\n>"));
  terminal.type("\x04");
  CHECK(terminal.wait() == 0);

  const auto info = run_program("info -m " + texts.at("model") + " --json");
  CHECK(nlohmann::json::parse(info.output).at("target_languages") == nlohmann::json({"de", "fr"}));
  const auto refusal = [&](const std::string& more) {
    const auto result =
        run_program("translate -m " + texts.at("model") + " -i " + texts.at("input") + more);
    CHECK(result.exit_code == 2);
    return result.errors;
  };
  CHECK(
      contains(refusal(""),
               "not given; use one of de, fr, at the beginning of each line (<2de> and a space)"));
  CHECK(contains(refusal(""), "input: line 1: target language: not given"));
  CHECK(contains(refusal(" --to it"), "'it': unknown to the model; use one of de, fr"));
  texts.write("input", "<2de> 6 3\n\n6 3\n");
  const auto bad_line =
      run_program("translate -m " + texts.at("model") + " -i " + texts.at("input"));
  CHECK(bad_line.exit_code == 1);
  CHECK(contains(bad_line.errors, "input: line 3: target language: not given; use"));
  texts.write("target", "3 6\n\n3 6\n");
  const auto one = " -m " + texts.at("model") + " -s " + texts.at("input") + " ";
  for (const auto& command :
       {"evaluate" + one + "-r " + texts.at("target"), "score" + one + "-t " + texts.at("target"),
        "align" + one + "-t " + texts.at("target"), "calibrate" + one + "-r " + texts.at("target"),
        "report" + one + "-r " + texts.at("target") + " -o " + texts.at("report.html"),
        "adapt" + one + "-t " + texts.at("target") + " -o " + texts.at("adapted"),
        "compare " + texts.at("model") + " " + texts.at("target") + " -s " + texts.at("input") +
            " -r " + texts.at("target")}) {
    INFO(command);
    const auto result = run_program(command);
    CHECK(result.exit_code == 1);
    CHECK(contains(result.errors, "input: line 3: target language: not given; use"));
  }
  const auto no_reverse =
      run_program("align" + one + "-t " + texts.at("target") + " --to de" + both);
  CHECK(no_reverse.exit_code == 2);
  CHECK(contains(no_reverse.errors, "target: line 1: target language: not given"));
  CHECK(contains(no_reverse.errors, "or with --reverse-to"));
  texts.write("page.html", "<p>6 3</p>");
  const auto page =
      run_program("translate -m " + texts.at("model") + " -i " + texts.at("page.html"));
  CHECK(page.exit_code == 2);
  CHECK(contains(page.errors, "a document names no target language; use --to, such as --to de"));
  const auto shortlist = run_program("shortlist -m " + texts.at("model") + " -t " +
                                     texts.at("a.src") + " " + texts.at("a.tgt"));
  CHECK(shortlist.exit_code == 1);
  CHECK(contains(shortlist.errors,
                 "a.src: line 1: names no target language; begin it with e.g. <2de>"));
  CHECK_FALSE(contains(shortlist.errors, "--to"));
  CHECK_FALSE(contains(shortlist.errors, "train_languages"));
  require_success(run_program("lm train --text " + texts.at("a.src") + " -m " + texts.at("lm") +
                              " --vocabulary-of " + texts.at("model") +
                              " --side source --model.embedding-size 8 --model.hidden-size 8 "
                              "--train.threads 1 --data.hold-out 0 --train.max-updates 2"));
}

TEST_CASE("A run of several languages resumes with the same bits", "[cli][end-to-end]") {
  const TwoLanguages texts;
  const std::string settings =
      "--data.sampling-temperature 2 --data.source-subword-sampling 0.1 --train.max-epochs 0 "
      "--validation.interval 10 --train.max-updates ";
  require_success(texts.train(settings + "40", "straight"));
  require_success(texts.train(settings + "25", "resumed"));
  require_success(texts.train(settings + "40 --resume", "resumed"));
  const bool same = read_file(texts / "resumed/last.safetensors") ==
                    read_file(texts / "straight/last.safetensors");
  CHECK(same);
}

TEST_CASE("Settings of languages that do not fit are refused", "[cli][checks]") {
  const TwoLanguages texts;
  CHECK(contains(texts.train("", "model", "de").errors,
                 "--data.train-languages: 1 languages for 2 corpora"));
  CHECK(contains(texts.train("--valid-sets " + texts.at("a.src") + " " + texts.at("a.tgt")).errors,
                 "a.src: line 1: names no language of data.train_languages; begin it with e.g. "
                 "<2de>"));
  for (const auto* languages : {"'de,d*'", "'[de, d*]'"}) {
    CHECK(contains(texts.train("", "model", languages).errors, "'d*' is not a language code"));
  }
  CHECK(contains(texts.train("--data.train-weights 1,2 --data.sampling-temperature 5").errors,
                 "unset data.train_weights"));
  CHECK_FALSE(fs::exists(texts / "model"));
}

}  // namespace nmt
