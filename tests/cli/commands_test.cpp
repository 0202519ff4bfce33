#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/run_program.h"
#include "support/expect_error.h"
#include "support/imported_model.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

// One line on standard error, nothing on standard output.
void check_failure(const std::string& arguments, int exit_code, const std::string& message) {
  INFO(arguments);
  const auto result = run_program(arguments);
  CHECK(result.exit_code == exit_code);
  CHECK(result.output.empty());
  CHECK(count_lines(result.errors) == 1);
  INFO(result.errors);
  CHECK(contains(result.errors, message));
}

}  // namespace

TEST_CASE("Every command explains itself", "[cli]") {
  const auto help = run_program("--help");
  REQUIRE(help.exit_code == 0);
  for (const char* command :
       {"train",   "adapt",  "translate", "interactive", "score",  "evaluate", "compare",
        "explain", "report", "serve",     "vocab",       "data",   "export",   "import",
        "pack",    "unpack", "average",   "calibrate",   "states", "info"}) {
    REQUIRE(contains(help.output, command));
    const auto own = run_program(std::string(command) + " --help");
    REQUIRE(own.exit_code == 0);
    REQUIRE(contains(own.output, "Usage"));
    CHECK(run_program("help " + std::string(command)).output == own.output);
    std::istringstream lines(own.output);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK((line.rfind("  nmt ", 0) == 0 || to_code_points(line).size() <= 80));  // not an example
    }
  }
  REQUIRE(contains(run_program("--version").output, "nmt "));
  CHECK(run_program("version").output == run_program("--version").output);
}

TEST_CASE("--help has the frequent options, --help-all every one with its limits", "[cli]") {
  const auto brief = run_program("translate --help").output;
  CHECK(contains(brief, "  -b, --beam-size N           Hypotheses kept"));
  CHECK(contains(brief, "All options: nmt translate --help-all"));
  CHECK_FALSE(contains(brief, "--coverage-penalty"));
  const auto whole = run_program("translate --help-all").output;
  CHECK(contains(whole, "--coverage-penalty X"));
  CHECK(contains(whole, "--threads 0–1024 "));
  CHECK(contains(whole, "(needs --sample)"));
  CHECK_FALSE(contains(run_program("train --help").output, "--model.hidden-size"));
  CHECK(contains(run_program("train --help-all").output, "--model.hidden-size"));
}

TEST_CASE("Help explains the arguments of the usage line", "[cli]") {
  const auto pack = run_program("pack --help").output;
  CHECK(contains(pack, "Usage: nmt pack model [OPTIONS]"));
  CHECK(contains(pack, "  model, -m, --model-dir DIR  Model directory"));
  CHECK(contains(run_program("compare --help").output, "\n  A          "));
  CHECK(contains(run_program("launch --help").output, "Usage: nmt launch [OPTIONS] -- command\n"));
}

TEST_CASE("A wrong command line exits with 2 and the nearest name", "[cli]") {
  check_failure("", 2, "nmt --help");
  check_failure("--bogus", 2, "unknown option --bogus");
  check_failure("tranlate", 2, "did you mean translate?");
  check_failure("decode", 2, "did you mean translate?");
  check_failure("translate --gpu", 2, "did you mean --device cuda?");
  check_failure("train --gpu", 2, "did you mean --device cuda?");
  check_failure("translate --int8", 2, "did you mean --precision int8?");
  CHECK_FALSE(contains(run_program("train --int8").errors, "did you mean --train.precision int8?"));
  check_failure("train --epochs 3", 2, "did you mean --train.max-epochs?");
  check_failure("train --dec_layers 2", 2, "did you mean --model.decoder-layers?");
  check_failure("translate --src x", 2, "did you mean --input?");
  // Not -o utput and -b eam_size.
  check_failure("translate -output=out", 2, "unknown option -output (did you mean --output?)");
  check_failure("translate -beam_size 5", 2,
                "unknown option -beam_size (did you mean --beam-size?)");
  check_failure("-version", 2, "nmt: unknown option -version (did you mean --version?)");
  CHECK(contains(run_program("translate -help").output, "Usage: nmt translate"));
  check_failure("data chek", 2, "did you mean check?); run `nmt data --help`");
  check_failure("data check --sorce x", 2, "data check: unknown option --sorce (did you mean");
  check_failure("explain attention x --kind doot", 2, "run `nmt explain attention --help`");
  check_failure("train --model.hiden-size 4", 2, "did you mean --model.hidden-size?");
  check_failure("translate", 2, "--model-dir is required");
  check_failure("adapt -m x -s x -o y", 2, "adapt: --target is missing; only a .jsonl file");
  check_failure("train --model-dir x --model.dropout much", 2, "'much' is not a number");
  check_failure("evaluate --hypothesis x --reference x --tokenize ko", 2,
                "'ko' is none of 13a, none, char, intl, zh");
  for (const std::string file : {"x.model", "x/ko"}) {
    check_failure("evaluate --hypothesis x --reference x --tokenize " + file, 2,
                  "--tokenize: " + file + ": no such file;");
  }
  check_failure("translate -m models/sample data/sample/test.ko", 2,
                "data/sample/test.ko: neither a model directory nor a packed model; use --input "
                "data/sample/test.ko to translate it");
  check_failure("-x", 2, "nmt: unknown option -x; run");
  CHECK(run_program("help help").output == run_program("--help").output);
  CHECK(run_program("explain attention -m models/sample").errors ==
        "nmt: explain attention: no sentence given; use one in quotes\n");
  std::string long_text;
  for (int i = 0; i < 80; ++i) long_text += "I ";
  check_failure("explain gradient x -m models/sample --translation '" + long_text + "'", 1,
                "the translation has ");
  check_failure("help tranlate", 2, "unknown command 'tranlate' (did you mean translate?)");
  check_failure("help data chek", 2, "did you mean check?); run `nmt data --help`");
  check_failure("tranlate --help", 2, "did you mean translate?");
  check_failure("evaluate --reference x", 2, "evaluate: nothing to evaluate; use --hypothesis");
  check_failure("translate --model-dir models/sample --beam-size 0 --input data/sample/test.ko", 2,
                "nmt: --beam-size: 0 is out of range; use 1 to 1000");
  check_failure("translate --model-dir models/sample --beam-size 2 --n-best 3", 2,
                "nmt: --n-best: 3 is above --beam-size 2; lower it or raise --beam-size");
}

TEST_CASE("What the option parser finds wrong is said in the program's words", "[cli]") {
  const std::pair<std::string, std::string> cases[] = {
      {"translate -m x --beam-size abc", "translate: --beam-size: 'abc' is not a number; run"},
      {"translate -m", "translate: --model-dir: value missing; run"},
      {"translate -m x --terms ''", "translate: --terms: empty name; give one or leave out"},
      {"evaluate -m '' -s x -r x", "evaluate: --model-dir: empty name; give one or leave out"},
      {"train -m x -t '' ''", "train: --train-sets: empty name; give one or leave out"},
      {"compare '' x -r x", "compare: empty name; give a model or a file"},
      {"serve -m x --port", "serve: --port: value missing; run"},
      {"translate -m x -x foo -i y", "translate: unknown option -x; run `nmt translate --help`"},
      {"launch -n 2 translate -m x", "launch: unknown option -m; run"},
      {"launch train -t a.de a.en --train.threads 1", "launch: --processes is required; run"},
      {"translate -m x --device gpu", "translate: --device: 'gpu' is none of cpu, cuda and cuda:N"},
      {"translate -m x --attention a b", "translate: unexpected argument b; run"},
      {"train a.ko a.en",
       "train: unexpected arguments a.ko a.en; name training text with --train-sets SOURCE TARGET"},
      {"train --train-sets a.tsv -m x",
       "--train-sets: needs a source and a target file, but got 1; nmt data convert splits text"},
      {"train --tsv a.tsv -m x", "unknown option --tsv; nmt data convert splits text with tabs"},
      {"serve -m x --port 80x", "serve: --port: '80x' is not a number from 0 to 65535; run"},
      {"adapt -m x -o y -s s -t t --learning-rate 0",
       "adapt: --learning-rate: '0' is not a number above 0 and at most 1; run"},
      {"serve -m x --max-body 300M",
       "serve: --max-body: '314572800' is not a number from 1 to 268435456; run"},
      {"translate -m x --beam-size 1.5",
       "translate: --beam-size: '1.5' is not a whole number; run"},
      {"serve -m x --max-memory 0.5G",
       "serve: --max-memory: '0.5' is not a whole number; use e.g. 512M; run"},
      {"serve -m x --max-memory 3x", "serve: --max-memory: unknown unit 'x'; use K, M or G; run"},
      {"score -m x -s x --n-best x --weight 2", "--weight: '2' is not a number from 0 to 1; run"},
      {"serve --new-key a -m x", "serve: --model-dir: not with --new-key; omit it"},
      {"train -c x --dump-config --verify-resume", "train: --verify-resume excludes --dump-config"},
      {"translate -m x --lm x --lm-weight 101",
       "translate: --lm-weight: '101' is not a number from 0 to 100; run"},
      {"evaluate -r x --metrics rouge", "--metrics: 'rouge' is none of bleu,chrf,ter; run"},
      {"data", "data: no command given; run `nmt data --help`"},
      {"data convert x --columns 1", "--columns: needs 2 values, but got 1; run"},
      {"data convert x --columns 1 2 3 -o y", "--columns: takes 2 values, but got 3; run"},
      {"data convert x.tmx --columns 1 2 -o y", "data convert: --columns: only for tab-separated"},
      {"data convert x.tmx --header -o y", "data convert: --header: only for tab-separated"},
      {"data convert x.xlf -o y", "x.xlf: not supported; convert it to .tmx, e.g. with xliff2po"},
      {"data convert x.PO.gz -o y", "x.PO.gz: not supported; convert it to .tmx"},
      {"compare x", "compare: argument B missing (Model, or file of translations, to compare"}};
  for (const auto& [command, message] : cases) check_failure(command, 2, message);
  CHECK(contains(run_program("evaluate --help").output, "[bleu chrf ter]"));
  for (const char* empty : {"[[]]", "[\"\"]"}) {
    CHECK_FALSE(contains(run_program("train --help-all").output, empty));
  }
}

TEST_CASE("Of many bad lines the first are named, the others counted", "[cli]") {
  const TemporaryFolder folder;
  const auto warned = [&](int bad_lines) {
    std::string text = "one\n";
    for (int i = 0; i < bad_lines; ++i) text += "\xC0\xFA\n";
    for (int i = 0; i <= bad_lines; ++i) text += "저\n";  // the file is UTF-8
    return run_program("translate -m models/sample --threads 1 --max-length 3 -i " +
                       folder.write("text", text).string())
        .errors;
  };
  const auto few = warned(3);
  CHECK(count_lines(few) == 3);
  CHECK(contains(few, "line 4: not valid UTF-8; the bad bytes are read as U+FFFD"));
  const auto many = warned(9);
  CHECK(count_lines(many) == 4);
  CHECK(contains(many,
                 "9 lines are not valid UTF-8; convert the input, for example with iconv -f "
                 "WINDOWS-1252 -t UTF-8 (or from its encoding, e.g. EUC-KR)"));
}

TEST_CASE("A text of another script than the model's is named once", "[cli]") {
  const TemporaryFolder folder;
  const std::string unknown = "in scripts that the model does not know (Latin): ";
  const auto warned = [&](const std::string& text, const std::string& more = "") {
    const auto input = folder.write("text", text).string();
    return run_program("translate -m models/sample --threads 1 --max-length 3 -i " + input + more)
        .errors;
  };
  const std::string latin = "one two\n\nthree\n";
  const auto lines = warned(latin + "저는 책을 읽어요.\n");
  CHECK(contains(lines, "lines " + unknown + "2 of 3; check the language of the input"));
  CHECK(count_lines(lines) == 1);
  CHECK(warned("one\n저는 책을 읽어요.\n12:30\n").empty());
  CHECK(warned("12:30\n---\n").empty());
  CHECK(warned("12,5 mm\n10 kg\none\n저는 책을 읽어요.\n").empty());
  CHECK(warned("<p>12,5 mm</p>\n", " --format html").empty());
  CHECK(warned("저는 책을 읽어요. https://www.example.org/very/long/path\n").empty());
  CHECK(warned(latin, " --pass-through").empty());
  CHECK(
      contains(warned("<p>One. Two.</p>\n", " --format html"), "sentences " + unknown + "2 of 2;"));
  CHECK(warned("<p>저는 책을 읽어요.</p>\n", " --format html").empty());
  const std::string tagged = "저는 <b>책을</b> 읽어요.\n저는 책을 읽어요.\n";
  CHECK(
      contains(warned(tagged), "lines: 1 of 2 have markup, such as </b>, that the model does not"));
  CHECK(warned(tagged, " --format html-lines").empty());
  CHECK(contains(warned("저는 &lt;b&gt;책을&lt;/b&gt; 읽어요.\n", " --format html-lines"),
                 "sentences: 1 of 1 have markup, such as </b>, that the model does not know"));
}

TEST_CASE("A text that is split into subwords is named once", "[cli]") {
  const TemporaryFolder folder;
  const auto warned = [&](const std::string& text) {
    const auto input = folder.write("text", text).string();
    return run_program("translate -m models/sample --threads 1 --max-length 3 -i " + input).errors;
  };
  CHECK(contains(warned("저는 책@@ 을 읽어@@ 요 .\n\n저@@ 는 책을\n저는 책을 읽어요.\n"),
                 "lines: 2 of 3 are split into subwords (@@, ▁ or ￭), but nmt reads raw text"));
  CHECK(contains(warned("▁저는 ▁책 을 ▁읽어요 .\n"), "lines: 1 of 1 are split"));
  CHECK_FALSE(contains(warned("저는 책@@ 을 읽어요.\n저는 책을 읽어요.\n"), "subwords"));
  CHECK_FALSE(contains(warned("저는 책을 읽어요@@\n￭ 저는 책을 읽어요.\n"), "subwords"));
  const auto imported = write_imported_model(folder / "imported").string();
  folder.write("tokens", "the ca@@ ts sle@@ ep .\n");
  const auto translated = run_program("translate -m " + imported +
                                      " --threads 1 --max-length 3 -i " + folder.at("tokens"));
  require_success(translated);
  CHECK_FALSE(contains(translated.errors, "subwords"));
}

TEST_CASE("A test set whose sides are exchanged is named", "[cli]") {
  const TemporaryFolder folder;
  const auto korean = folder.write("a.ko", "저는 책을 읽어요.\n").string();
  const auto english = folder.write("a.en", "I read a book.\n").string();
  const auto evaluated = [](const std::string& source, const std::string& reference) {
    return run_program("evaluate -m models/sample -s " + source + " -r " + reference).errors;
  };
  CHECK(evaluated(korean, english).empty());
  CHECK(contains(evaluated(english, korean),
                 "--source " + english + " and --reference " + korean +
                     ": the model translates from ko into en; swap them"));
}

TEST_CASE("Options that would be ignored are refused, with what they need", "[cli]") {
  const std::string model = " -m models/sample";
  const std::string text = "data/sample/test.ko";
  const std::string files = " --hypothesis " + text + " --reference " + text;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"translate --temperature 0.5" + model, "--temperature requires --sample"},
      {"translate --top-k 5" + model, "--top-k requires --sample"},
      {"translate --top-p 0.5" + model, "--top-p requires --sample"},
      {"translate --seed 5" + model, "--seed requires --sample"},
      {"interactive --top-k 5" + model, "--top-k requires --sample"},
      {"serve --top-k 5" + model, "--top-k requires --sample"},
      {"translate --sample --beam-size 5" + model, "--beam-size excludes --sample"},
      {"translate --diversity-strength 1" + model, "requires --diverse-groups"},
      {"translate --diversity-strength 1 --diverse-groups 1" + model,
       "--diversity-strength: has no effect on one group; use --diverse-groups 2 or more"},
      {"interactive --diversity-strength 1 --diverse-groups 1" + model,
       "--diversity-strength: has"},
      {"serve --diversity-strength 1 --diverse-groups 1" + model, "--diversity-strength: has"},
      {"serve --max-sentences 10000" + model,
       "--max-sentences 10000: exceeds --max-queue 4096; use --max-queue 10000 or more"},
      {"serve --max-sentences 500 --max-queue 100" + model, "500: exceeds --max-queue 100"},
      {"translate --restart" + model, "--restart: this translation cannot be resumed; omit it"},
      {"translate --lm-weight 1" + model, "--lm-weight requires --lm"},
      {"translate --min-length 20 --max-length 10" + model,
       "--min-length: 20 is above --max-length 10; lower it or raise --max-length"},
      {"translate --prefix - -i -" + model, "--prefix: standard input is already used for --input"},
      {"evaluate --metrics chrf --tokenize char" + files,
       "--tokenize: has no effect without --metrics bleu; omit it"},
      {"evaluate --metrics chrf --smoothing exp" + files, "--smoothing: has no effect"},
      {"evaluate --metrics bleu --chrf-word-order 2" + files, "--chrf-word-order: has no effect"},
      {"evaluate --metrics ter --lowercase" + files, "--lowercase: has no effect"},
      {"evaluate --metrics bleu chrf --ter-case-sensitive" + files, "--ter-case-sensitive: has"},
      {"evaluate --n-best 2 -s " + text + " -r " + text + model, "--n-best requires --sample"},
      {"evaluate --diversity-strength 1 --diverse-groups 1 -s " + text + " -r " + text + model,
       "--diversity-strength: has no effect"},
      {"evaluate --beam-size 3" + files, "--beam-size requires --model-dir"},
      {"evaluate --threads 3" + files, "--threads requires --model-dir"},
      {"evaluate --lm models/sample" + files, "--lm requires --model-dir"},
      {"evaluate --source " + text + files, "--source requires --model-dir"},
      {"evaluate --translations x" + files, "--translations requires --model-dir"},
      {"evaluate --source " + text + model + files, "--hypothesis excludes --model-dir"},
      {"evaluate --hypothesis - --reference -", "--reference: standard input is already used"},
      {"score -s - -t -" + model, "--target: standard input is already used for --source"},
      {"compare " + text + " " + text + " --threads 1 -r " + text, "--threads: only models use it"},
      {"compare - - -r " + text, "B: standard input is already used for A"},
      {"train --verify-resume --restart", "--restart excludes --verify-resume"},
      {"train --verify-resume --live 0", "--verify-resume excludes --live"},
      {"train --accept-changes --restart", "--restart excludes --accept-changes"},
      {"train -t a b --data.train-source c", "--data.train-source excludes --train-sets"},
      {"train --valid-sets a b --data.valid-target c", "--data.valid-target excludes --valid-sets"},
      {"train --test-sets a b --data.test-source c", "--data.test-source excludes --test-sets"},
      {"lm train -m x -t a --data.train-source b", "--text excludes --data.train-source"},
      {"lm train -m x --valid a --data.valid-source b", "--valid excludes --data.valid-source"},
      {"lm train -m x --vocabulary-of models/sample --vocab.source-model a",
       "--vocabulary-of excludes --vocab.source-model"},
      {"export -o x --sample " + text + model, "--sample requires --verify"},
      {"report models/sample -o x --source " + text, "--source requires --reference"},
      {"vocab --inspect models/sample/source.spm --size 5", "--size requires --output"},
      {"vocab --pieces 5", "--pieces requires --inspect"},
      {"explain attention --kind dot x" + model, "--kind excludes --model-dir"},
      {"explain attention --example x", "sentence excludes --example"}};
  for (const auto& [command, message] : cases) check_failure(command, 2, message);
}

TEST_CASE("A failing run exits with 1 and one line", "[cli]") {
  check_failure("translate --model-dir nowhere", 1, "nowhere: no such model directory");
  check_failure("translate --model-dir models/sample --input absent", 1, "absent: cannot be read");
  check_failure("train --train-sets README.md LICENSE", 2, "languages of --train-sets");
  check_failure("train --config absent.yaml", 1, "absent.yaml: cannot be read");
  check_failure("train --model-dir /tmp/x", 1, "no training corpus");
  check_failure("train --config configs/sample.yaml --model-dir models/sample", 1,
                "already holds a model");
  check_failure("evaluate --hypothesis data/sample/test.ko --reference data/sample/train.en", 1,
                "test.ko: 1000 lines, but 20000 in data/sample/train.en");
  check_failure("info nowhere", 1, "no such model directory");
  check_failure("vocab --inspect README.md", 1, "not a SentencePiece model");
}

TEST_CASE("Both spellings of a setting are understood, and the command line wins", "[cli]") {
  const auto result = run_program(
      "train --model.hidden_size 48 --model.embedding-size 24 --config configs/sample.yaml "
      "--dump-config");
  REQUIRE(result.exit_code == 0);
  REQUIRE(contains(result.output, "hidden_size: 48\n"));
  REQUIRE(contains(result.output, "embedding_size: 24\n"));
  REQUIRE(contains(result.output, "train_source: data/sample/train.ko\n"));
}

TEST_CASE("One line in is one line out, empty ones too", "[cli]") {
  const auto result = run_program("translate --model-dir models/sample --threads 1",
                                  "printf '저는 책을 읽어요.\\n\\n  \\n저는 물을 마셔요.' |");
  REQUIRE(result.exit_code == 0);
  REQUIRE(result.output == "I read a book.\n\n\nI drink water.\n");
}

TEST_CASE("An n-best list of one translation per line is a list, too", "[cli]") {
  const auto translated = [](const std::string& flags) {
    return run_program("translate --threads 1 --model-dir models/sample" + flags,
                       "echo '저는 책을 읽어요.' |")
        .output;
  };
  CHECK(translated("") == "I read a book.\n");
  const auto list = translated(" --n-best 1");
  CHECK(begins_with(list, "0 ||| I read a book. ||| nmt= -"));
  CHECK(count_lines(list) == 1);
}

TEST_CASE("A light command needs no /proc", "[cli]") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SKIP("sanitizers read /proc");
#else
  if (!may_mount()) SKIP("only root can hide /proc");
  // The system's loader asks /proc where a program lies.
  const auto libraries = std::filesystem::path(NMT_PROGRAM).parent_path() / "../libexec/nmt";
  const auto hidden = "LD_LIBRARY_PATH='" + libraries.string() +
                      R"(' unshare -m sh -c 'mount -t tmpfs none /proc && exec "$0" "$@"')";
  const auto result = run_program("translate --threads 1 --model-dir models/sample",
                                  "echo '저는 책을 읽어요.' | " + hidden);
  INFO(result.errors);
  CHECK(result.output == "I read a book.\n");
#endif
}

TEST_CASE("As the first process of a container, the program ends at signals", "[cli]") {
  const TemporaryFolder folder;
  const auto terms = folder.at("terms");  // a pipe to wait for
  REQUIRE(::mkfifo(terms.c_str(), 0600) == 0);
  const auto wait_until = [](const auto& happened) {
    for (int i = 0; i < 6000 && !happened(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return happened();
  };
  for (const std::string name : {"out.gz", "out"}) {  // the second would save at the first signal
    INFO(name);
    const auto output = folder.at(name);
    const char* const command[] = {NMT_PROGRAM,   "translate",
                                   "--model-dir", NMT_SOURCE_DIR "/models/sample",
                                   "--input",     NMT_SOURCE_DIR "/data/sample/test.ko",
                                   "--terms",     terms.c_str(),
                                   "--output",    output.c_str(),
                                   nullptr};
    // A fork that is process 1 of a namespace; only root needs no other for that.
    const int user = ::geteuid() == 0 ? 0 : CLONE_NEWUSER;
    const auto child =
        static_cast<pid_t>(::syscall(SYS_clone, user | CLONE_NEWPID | SIGCHLD, 0L, 0L, 0L, 0L));
    if (child < 0) SKIP("namespaces are not permitted: " << std::strerror(errno));
    if (child == 0) {
      ::execv(command[0], const_cast<char* const*>(command));
      ::_exit(127);
    }
    int status = -1;
    int pipe = -1;
    const auto has_ended = [&] {
      return status != -1 || ::waitpid(child, &status, WNOHANG) == child;
    };
    CHECK(wait_until([&] {
      if (pipe < 0) pipe = ::open(terms.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      return pipe >= 0 || has_ended();
    }));
    ::kill(child, SIGTERM);
    if (name == "out") {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      CHECK_FALSE(has_ended());
      CHECK(wait_until([&] {  // the first may have come late
        return has_ended() || (::kill(child, SIGTERM), false);
      }));
    }
    CHECK(wait_until(has_ended));
    ::close(pipe);
    if (!has_ended()) ::kill(child, SIGKILL);
    CHECK(wait_until(has_ended));
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 128 + SIGTERM);
  }
}

TEST_CASE("A line is answered while the input stays open", "[cli]") {
  // The answer to the first line must be there before the second is written.
  const TemporaryFolder folder;
  const auto out = (folder / "out").string();
  const std::string script = "{ echo '저는 책을 읽어요.'; for i in $(seq 300); do [ -s " + out +
                             " ] && break; sleep 0.1; done; [ -s " + out +
                             " ] && echo '저는 물을 마셔요.'; } | '" NMT_PROGRAM
                             "' translate --threads 1 --model-dir '" NMT_SOURCE_DIR
                             "/models/sample' > " +
                             out;
  REQUIRE(std::system(script.c_str()) == 0);
  REQUIRE(read_file(out) == "I read a book.\nI drink water.\n");
}

TEST_CASE("The interactive command answers each line typed", "[cli]") {
  const auto result = run_program("interactive --model-dir models/sample --threads 1",
                                  "printf '저는 책을 읽어요.\\n저는 물을 마셔요.\\n' |");
  REQUIRE(result.exit_code == 0);
  REQUIRE(result.output == "I read a book.\nI drink water.\n");
}

TEST_CASE("An output file gets its name only when it is whole", "[cli]") {
  const TemporaryFolder folder;
  const auto out = (folder / "out.en").string();
  const auto good =
      run_program("translate --model-dir models/sample --threads 1 --beam-size 1 --output " + out,
                  "head -3 data/sample/test.ko |");
  REQUIRE(good.exit_code == 0);
  REQUIRE(count_lines(read_file(out)) == 3);
  REQUIRE_FALSE(std::filesystem::exists(out + ".partial"));
  REQUIRE(run_program(
              "translate --model-dir models/sample --input data/sample/test.ko --output /nowhere/x")
              .exit_code == 1);
}

TEST_CASE("Alignments go to a file of their own, beginnings and constraints come from files",
          "[cli]") {
  const TemporaryFolder folder;
  const auto source = folder.write("source", "저는 책을 읽어요.\n\n저는 물을 마셔요.\n").string();
  const auto prefix = folder.write("prefix", "You\n\n\n").string();
  const auto words = folder.write("words", "\n\nwater\tyesterday\n").string();
  const auto pairs = (folder / "pairs").string();
  const auto command = "translate -m models/sample --threads 1 -i " + source + " --prefix " +
                       prefix + " --constraints " + words + " --alignments " + pairs;
  for (const char* engine : {"auto", "plain"}) {
    const auto result = run_program(command + " --engine " + engine);
    require_success(result);
    REQUIRE(count_lines(result.output) == 3);
    REQUIRE(result.output.rfind("You", 0) == 0);
    REQUIRE(contains(result.output, "water"));
    REQUIRE(contains(result.output, "yesterday"));
    const auto lines = read_file(pairs);
    REQUIRE(count_lines(lines) == 3);
    REQUIRE(lines.rfind("0-0 ", 0) == 0);
    REQUIRE(contains(lines, "\n\n"));
  }
  const auto json = run_program(command + " --json").output;
  for (const char* part :
       {"\"source_words\":[\"저는\",\"책을\",\"읽어요.\"]", "\"words\":[\"You",
        "\"word_log_probabilities\":[", "\"alignment\":\"0-0 ", "\"warnings\":["}) {
    REQUIRE(contains(json, part));
  }
  REQUIRE_FALSE(contains(json, "word_attention"));
  REQUIRE(contains(run_program(command + " --json --attention").output, "\"word_attention\":[["));
}

TEST_CASE("Different translations of one term cause a warning", "[cli]") {
  const TemporaryFolder folder;
  const auto terms = folder.write("terms", "책\tvolume\n책\ttome\n책\tvolume\n").string();
  const auto found =
      run_program("translate -m models/sample --terms " + terms, "echo '저는 책을 읽어요.' |");
  CHECK(found.output == "I read a volume.\n");
  CHECK(contains(found.errors, "line 2: '책' has another translation in an earlier line"));
  CHECK_FALSE(contains(found.errors, "lines of this kind"));
}

TEST_CASE("A translation with terms ends with how many were found and kept", "[cli]") {
  const TemporaryFolder folder;
  const auto terms = folder.write("terms", "책\tvolume\n").string();
  const std::string command = "translate -m models/sample --terms " + terms;
  const std::string lines = "printf '저는 책을 읽어요.\\n저는 물을 마셔요.\\n책이 있어요.\\n' |";
  CHECK(contains(run_program(command, lines).errors,
                 terms + ": found in 2 of 3 lines, translated as given in 2\n"));
  // A given translation is not changed.
  const auto text = folder.write("text", "저는 책을 읽어요.\n").string();
  const auto given = folder.write("given", "I read a book\n").string();
  const auto kept = run_program(command + " --prefix " + given + " -i " + text);
  CHECK(contains(kept.errors, ": found in 1 of 1 line, translated as given in 0\n"));
  CHECK(contains(run_program(command + " --json -i " + text).output,
                 R"("terms":[{"source":"책을","target":"volume","used":true}])"));
  const auto page = run_program(command + " --format html", "echo '<p>저는 책을 읽어요.</p>' |");
  CHECK(contains(page.errors, ": found in 1 of 1 sentence, translated as given in 1\n"));
  const auto none = run_program(command, "echo '저는 물을 마셔요.' |");
  CHECK(contains(none.errors, "found in none of 1 line; its first column is in the source"));
  CHECK_FALSE(contains(run_program(command + " --json", "echo 물 |").output, "\"terms\""));
  CHECK_FALSE(contains(run_program("translate -m models/sample", lines).errors, "found in"));
}

TEST_CASE("What a translation cannot keep to is refused before anything is written", "[cli]") {
  const TemporaryFolder folder;
  const auto two = folder.write("two", "a\nb\n").string();
  const auto odd = folder.write("odd", "☃\nb\n").string();
  const std::string command = "translate -m models/sample -i " + two;
  folder.write("one", "a\n");
  const auto one = (folder / "one").string();
  check_failure(command + " --prefix " + one, 1,
                "two: 2 lines, but 1 in " + one + "; the two must");
  check_failure(command + " --constraints " + one, 1, "must pair line by line");
  check_failure(command + " --prefix " + two + " --constraints " + one, 1, "pair line by line");
  check_failure(command + " --prefix absent", 1, "absent: cannot be read");
  check_failure(command + " --terms absent", 1, "absent: cannot be read");
  check_failure(command + " --shortlist absent", 1, "absent: ");
  check_failure(command + " --terms " + two, 1, "two: line 1: has 1 column, not 2; use SOURCE");
  check_failure(command + " --split words", 2, "'words' is none of model, none, sentences");
  check_failure(command + " --prefix " + odd, 1, "has characters that the model does not know");
  check_failure(command + " --sample --prefix " + two, 2,
                "--sample: does not combine with prefixes");
  check_failure(command + " --sample --no-repeat-ngram 2", 2,
                "--sample: does not combine with --no-repeat-ngram, --coverage-penalty or");
  check_failure(command + " --no-repeat-ngram -1", 2,
                "--no-repeat-ngram: -1 is out of range; use 0 to 1000");
  check_failure(command + " --coverage-penalty nan", 2, "--coverage-penalty: ");
  check_failure(command + " --diverse-groups 2", 2,
                "--diverse-groups: 2 does not divide --beam-size 5");
  check_failure(command + " --diverse-groups 5 --constraints " + two, 2,
                "--constraints: do not combine with --diverse-groups");
  check_failure(command + " --alignments -", 2, "--alignments and --output: both are -");
  check_failure(command + " -o n_best --alignments n_best", 2, "both are n_best; use two files");
  check_failure(command + " --alignments /nowhere/x", 1, "/nowhere/x");
  check_failure(
      "evaluate -m models/sample --coverage-penalty -1 --source " + two + " --reference " + two, 2,
      "--coverage-penalty: ");
}

TEST_CASE("A translation replaces no input, and no output before it is finished", "[cli]") {
  const TemporaryFolder folder;
  const auto at = [&](const std::string& name) { return (folder / name).string(); };
  const std::string text = "저는 책을 읽어요.\n";
  folder.write("w.part", text);
  folder.write("lm.nmt", "a language model");
  const std::string command = "translate -m models/sample -i " + at("w.part") + " -o ";
  check_failure(command + at("lm.nmt") + " --lm " + at("lm.nmt"), 2,
                "lm.nmt: used as input and output");
  check_failure(command + at("w") + " --restart", 2, "w.part: used as input and output");
  check_failure(command + at("y") + " --alignments " + at("y.part"), 2, "y.part; use two files");
  check_failure(command + at("y") + " --alignments " + at("y.part.json"), 2, "use two files");
  CHECK(read_file(folder / "w.part") == text);
  CHECK(read_file(folder / "lm.nmt") == "a language model");
  for (const char* name : {"w", "y", "y.part"}) CHECK_FALSE(std::filesystem::exists(folder / name));
}

TEST_CASE("Evaluation of files and of a model agree", "[cli]") {
  const TemporaryFolder folder;
  const auto keep = (folder / "hyp").string();
  const auto flags = std::string(" --metrics bleu --reference data/sample/test.en");
  const auto of_model = run_program(
      "evaluate --model-dir models/sample --source data/sample/test.ko --translations " + keep +
      flags);
  const auto of_files = run_program("evaluate --hypothesis " + keep + flags);
  REQUIRE(of_model.exit_code == 0);
  REQUIRE(of_model.output.substr(0, of_model.output.find('\n')) ==
          of_files.output.substr(0, of_files.output.find('\n')));
  REQUIRE(contains(of_model.output, "perplexity"));
}

TEST_CASE("Information names the model and what the build runs on", "[cli]") {
  const auto result = run_program("info models/sample");
  REQUIRE(result.exit_code == 0);
  for (const char* part :
       {"parameters", "attn.linear.weight", "sha256", "LibTorch", "BLAS", "threads"}) {
    REQUIRE(contains(result.output, part));
  }
}

TEST_CASE("Nothing in a model steers the terminal or poses as its hash", "[cli]") {
  const TemporaryFolder folder;
  std::filesystem::copy(NMT_SOURCE_DIR "/models/sample", folder / "model");
  folder.write("model/training.json", R"({"note": "\u001b[2J\n\nweights_sha256  1234\n"})");
  const auto info = run_program("info " + folder.at("model"));
  require_success(info);
  CHECK(contains(info.output, "  note  \uFFFD[2J\n\n    weights_sha256  1234\n"));
  CHECK_FALSE(contains(info.output, "\nweights_sha256  1234"));
  check_failure("info \"$(printf 'a\\033[2J')\"", 1, "a\uFFFD[2J");
}

TEST_CASE("A limit of the instruction set reaches OpenBLAS", "[cli]") {
  const auto result = run_program("info", "env -u OPENBLAS_CORETYPE NMT_CPU=avx2");
  REQUIRE(result.exit_code == 0);
  if (!contains(result.output, "OpenBLAS") || !contains(result.output, "avx2")) {
    SKIP("LibTorch does not use OpenBLAS here, or the processor has no AVX2");
  }
  REQUIRE(contains(result.output, "BLAS kernels  Haswell"));
}

TEST_CASE("A limit above what the processor has changes nothing", "[cli]") {
  for (const std::string limit : {"avx512", "avx512vnni"}) {
    const auto result = run_program("translate -m models/sample --threads 1 --engine plain",
                                    "echo '저는 책을 읽어요.' | NMT_CPU=" + limit);
    CHECK(result.output == "I read a book.\n");
  }
}

TEST_CASE("Every command that takes a model takes a packed one", "[cli]") {
  const TemporaryFolder folder;
  const auto packed = (folder / "model.nmt").string();
  const auto pack = run_program("pack models/sample --precision int8 -o " + packed);
  REQUIRE(pack.exit_code == 0);
  REQUIRE(contains(pack.output, "int8"));
  const std::string line = "echo '저는 책을 읽어요.' |";
  REQUIRE(run_program("translate --threads 1 -m " + packed, line).output == "I read a book.\n");
  REQUIRE(run_program("interactive --threads 1 -m " + packed, line).output == "I read a book.\n");
  folder.write("s", "저는 책을 읽어요.\n");
  folder.write("t", "I read a book.\n");
  const auto pair = " -s " + (folder / "s").string();
  const auto target = (folder / "t").string();
  require_success(run_program("score -m " + packed + pair + " -t " + target));
  require_success(run_program("evaluate -m " + packed + pair + " -r " + target));
  require_success(run_program("export -m " + packed + " -o " + (folder / "x").string()));
  REQUIRE(contains(run_program("info " + packed).output, "precision  int8"));
  require_success(run_program("unpack " + packed + " -o " + (folder / "model").string()));
  require_success(
      run_program("average models/sample " + packed + " -o " + (folder / "mean").string()));
  REQUIRE(
      run_program("translate -m " + packed + " -m " + (folder / "mean").string(), line).output ==
      "I read a book.\n");
  check_failure("pack models/sample -o " + packed, 1, "--overwrite");
  check_failure("pack models/sample --precision f8 -o " + packed + "2", 2, "f32, f16 or int8");
}

TEST_CASE("A full disk leaves what was there and says so", "[cli]") {
  if (!may_mount()) SKIP("only root can mount a small disk");
  const TemporaryFolder folder;
  const auto disk = folder.path().string();
  const std::string mount = "mount -t tmpfs -o size=100k none " + disk;
  // In a mount namespace of its own: two models fit, the sample's 5 MB do not.
  const std::string nmt = NMT_PROGRAM;
  const std::string source = NMT_SOURCE_DIR;
  const TemporaryFolder beside;  // the mount hides what is in the folder
  const auto script = beside.write("script.sh", mount + R"sh( || exit 9
cd )sh" + source + R"sh( || exit 9
nmt=)sh" + nmt + R"sh(
disk=)sh" + disk + R"sh(
fails() { if "$@" > /dev/null 2> $disk/message; then exit 1; fi
  [ $(wc -l < $disk/message) = 1 ] && grep -q 'No space left' $disk/message || { cat $disk/message >&2; exit 2; }; }
$nmt pack tests/models/version-2 -o $disk/model.nmt > /dev/null || exit 3
sum=$(sha256sum < $disk/model.nmt)
fails $nmt pack models/sample -o $disk/model.nmt --overwrite
fails $nmt export -m models/sample -o $disk/model.nmt --overwrite
fails $nmt unpack models/sample -o $disk/unpacked
[ "$sum" = "$(sha256sum < $disk/model.nmt)" ] || exit 4
[ "$(echo '1 2 3' | $nmt translate --threads 1 -m $disk/model.nmt)" = '3 2 1' ] || exit 5
! ls $disk | grep -q tmp || exit 6
)sh");
  const int status = std::system(("unshare -m sh '" + script.string() + "'").c_str());
  REQUIRE(WEXITSTATUS(status) == 0);
}

TEST_CASE("A folder that cannot be written to, or is gone, is a clear line", "[cli]") {
  check_failure("pack tests/models/version-2 -o /nowhere/x.nmt", 1,
                "/nowhere/x.nmt: cannot be written: No such file");
  check_failure("pack tests/models/version-2 -o /proc/x.nmt", 1, "/proc/x.nmt: cannot be written");
  check_failure("average tests/models/version-2 tests/models/version-2 -o /proc/x", 1,
                "/proc/x: cannot be created");
}

TEST_CASE("Models are replaced only with --overwrite, by every command that writes one", "[cli]") {
  const TemporaryFolder folder;
  const auto text = folder.write("text", "1 2\n").string();
  const auto same = folder.write("same", "1 2\n").string();
  const auto out = " -o '" + (folder / "out").string() + "'";
  const std::string model = "tests/models/version-2";
  for (const auto& command :
       {"unpack " + model, "average " + model + " tests/models/version-1",
        "adapt --steps 1 --threads 1 -m " + model + " -s '" + text + "' -t '" + same + "'"}) {
    INFO(command);
    CHECK(run_program(command + out + " --overwrite").exit_code == 0);
    check_failure(command + out, 1, "out: already holds a model; use --overwrite to replace it");
    CHECK(run_program(command + out + " --overwrite").exit_code == 0);
    // A run that has no model yet.
    std::filesystem::create_directory(folder / "run");
    folder.write("run/training_state.safetensors", "");
    check_failure(command + " --overwrite -o '" + (folder / "run").string() + "'", 1,
                  "run: holds a training run, which would be deleted; use another directory");
    CHECK(std::filesystem::exists(folder / "run/training_state.safetensors"));
  }
}

TEST_CASE("Hashes that cannot be computed are an error, not others", "[cli]") {
  const TemporaryFolder folder;
  const auto config = folder.write("openssl.cnf",
                                   "openssl_conf = init\n[init]\nproviders = providers\n"
                                   "[providers]\nnull = null\n[null]\nactivate = 1\n");
  const auto result = run_program("info models/sample", "OPENSSL_CONF='" + config.string() + "'");
  CHECK(result.exit_code == 1);
  CHECK(contains(result.errors, "libcrypto: cannot compute SHA-256"));
}

TEST_CASE("The script that fetches corpora creates nothing when asked for help", "[cli]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "scripts");
  const auto script = folder / "scripts/get_corpora.sh";
  std::filesystem::copy_file(NMT_SOURCE_DIR "/scripts/get_corpora.sh", script);
  const auto command = "bash '" + script.string() + "' ";
  CHECK(std::system((command + "--help >/dev/null").c_str()) == 0);
  CHECK(std::system((command + "unknown 2>/dev/null").c_str()) != 0);
  CHECK_FALSE(std::filesystem::exists(folder / "data"));
}

TEST_CASE("A corpus is looked into and cleaned, with a reason for each pair dropped", "[cli]") {
  const TemporaryFolder folder;
  const auto source = folder.write("source", "나는 갔다.\n\n나는 갔다.\n책을 읽는다.\n").string();
  const auto target = folder.write("target", "I went.\nEmpty.\nI went.\nI read.\n").string();
  const auto corpus = " --source " + source + " --target " + target;
  const auto check = run_program("data check" + corpus);
  REQUIRE(check.exit_code == 0);
  REQUIRE(contains(check.output, "4 pairs, 2 good"));
  REQUIRE(contains(run_program("data check --json" + corpus).output, "\"duplicate\""));
  require_success(run_program("data check --fail-on copy numbers" + corpus));
  const auto failed = run_program("data check --fail-on any" + corpus);
  REQUIRE(failed.exit_code == 1);
  REQUIRE(contains(failed.errors, "found 1 empty, 1 duplicate (--fail-on)"));
  REQUIRE(contains(failed.output, "4 pairs, 2 good"));
  check_failure("data check --fail-on bogus" + corpus, 2, "'bogus': unknown issue");
  const auto out = (folder / "out").string();
  const auto clean = "data clean" + corpus + " --output-source " + out + ".ko --output-target " +
                     out + ".en --dropped " + out + ".dropped";
  require_success(run_program(clean));
  REQUIRE(read_file(out + ".ko") == "나는 갔다.\n책을 읽는다.\n");
  REQUIRE(read_file(out + ".en") == "I went.\nI read.\n");
  REQUIRE(read_file(out + ".dropped") == "2\tempty\t\tEmpty.\n3\tduplicate\t나는 갔다.\tI went.\n");
  require_success(run_program(clean + " --keep duplicate"));
  REQUIRE(read_file(out + ".en") == "I went.\nI went.\nI read.\n");
  check_failure(clean + " --keep bogus", 2, "'bogus': unknown issue; use one of: not-utf8");
  check_failure("data clean" + corpus + " --output-source x --output-target x", 2,
                "x: used for two outputs");
  check_failure("data check --source " + source + " --target " + (folder / "absent").string(), 1,
                "absent: cannot be read");
}

}  // namespace nmt
