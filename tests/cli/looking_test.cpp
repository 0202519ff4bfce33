#include <nlohmann/json.hpp>

#include "cli/child_program.h"
#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "reports/page_check.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

const std::string kSample = " models/sample --threads 1 ";

}  // namespace

TEST_CASE("The attention of a file is drawn beside its translation", "[cli]") {
  const TemporaryFolder folder;
  const auto in = folder.write("in", first_lines("test.ko", 3) + "\n").string();
  for (const char* ending : {".html", ".svg", ".json"}) {
    const auto picture = folder.path() / (std::string("attention") + ending);
    const auto result = run_program("translate -m" + kSample + "--attention '" + picture.string() +
                                    "' --input '" + in + "'");
    CHECK(result.exit_code == 0);
    CHECK(contains(result.errors, "  wrote " + picture.string() + "\n"));
    CHECK(count_lines(result.output) == 4);
    if (picture.extension() != ".json") CHECK(problems_of_page(picture).empty());
  }
  const auto data = nlohmann::json::parse(read_file(folder / "attention.json"));
  REQUIRE(data.size() == 4);
  CHECK_FALSE(data[0]["candidates"][0]["word_attention"].empty());
  CHECK(data[3]["translation"] == "");
}

TEST_CASE("Attention without a file is drawn on standard error", "[cli]") {
  const auto result =
      run_program("translate --attention -m" + kSample, "printf '저는 책을 읽어요.\\n' |");
  CHECK(result.exit_code == 0);
  CHECK(result.output == "I read a book.\n");
  CHECK(contains(result.errors, "██"));
}

TEST_CASE("A comparison prints its scores and writes a page", "[cli]") {
  const TemporaryFolder folder;
  const auto right = folder.write("right", "the cat is here\na dog ran\n").string();
  const auto wrong = folder.write("wrong", "the cat was here\na dog ran\n").string();
  const auto page = folder / "compare.html";
  const auto result = run_program("compare '" + wrong + "' '" + right + "' -r '" + right +
                                  "' --html '" + page.string() + "'");
  REQUIRE(result.exit_code == 0);
  CHECK(contains(result.errors, "  wrote " + page.string() + "\n"));
  CHECK(contains(result.output, "Sentences where B is most ahead"));
  CHECK(problems_of_page(page).empty());
  CHECK(contains(read_file(page), "the cat <mark>was</mark> here"));
}

TEST_CASE("A report of the sample model tells of its training and its validation text", "[cli]") {
  const TemporaryFolder folder;
  const auto path = folder / "report.html";
  const auto result = run_program("report" + kSample + "--sentences 20 -o '" + path.string() + "'");
  REQUIRE(result.exit_code == 0);
  CHECK(contains(result.errors, "  wrote " + path.string() + "\n"));
  CHECK(problems_of_page(path).empty());
  const auto page = read_file(path);
  const auto summary =
      nlohmann::json::parse(read_file(fs::path(NMT_SOURCE_DIR "/models/sample/training.json")));
  CHECK(contains(page, summary["train_source"]["sha256"].get<std::string>()));
  CHECK(contains(page, "polyline"));
  CHECK(contains(page, "data-matrix=\""));
  CHECK(contains(page, "learning_rate: "));
}

TEST_CASE("A report leaves out lines without a reference", "[cli]") {
  const TemporaryFolder folder;
  const auto source =
      folder.write("source", "저는 책을 읽어요.\n저는 책을 읽어요.\n저는 물을 마셔요.\n");
  const auto reference = folder.write("reference", "I read a book.\n\nI drink water.\n");
  const auto path = (folder / "report.html").string();
  require_success(run_program("report" + kSample + "--sentences 2 -s '" + source.string() +
                              "' -r '" + reference.string() + "' -o '" + path + "'"));
  const auto page = read_file(path);
  CHECK(contains(page, "<p>2 <span"));
  CHECK(contains(page, " · BLEU 100.00 · chrF2 100.00 · TER 0.00</p>"));
  CHECK(contains(page, "<dd>저는 물을 마셔요.</dd>"));
}

TEST_CASE("A model is compared with a file of translations", "[cli]") {
  const TemporaryFolder folder;
  const auto source = folder.write("source", first_lines("test.ko", 8)).string();
  const auto reference = folder.write("reference", first_lines("test.en", 8)).string();
  const auto result = run_program("compare '" + reference + "'" + kSample + "--json --source '" +
                                  source + "' --reference '" + reference + "'");
  require_success(result);
  const auto json = nlohmann::json::parse(result.output);
  CHECK(json["lines"] == 8);
  CHECK(json["metrics"][0]["a"].get<double>() == Approx(100));
  CHECK(json["metrics"][0]["b"].get<double>() > 50);
  CHECK(json["b_better"].empty());
  const auto again = run_program("compare '" + reference + "' '" + reference + "' --reference '" +
                                 reference + "'");
  CHECK(contains(again.output, "1.0000"));
}

TEST_CASE("Of several processes that train one model, one serves the page", "[cli]") {
  const TrainingTexts texts;
  const auto trained =
      run_program("launch -n 2 -- " +
                  training_command(texts, "--train.threads 1 --train.max-updates 2 --live 0"));
  INFO(trained.errors);
  REQUIRE(trained.exit_code == 0);
  const auto first = trained.errors.find("live  http://");
  REQUIRE(first != std::string::npos);
  CHECK(trained.errors.find("live  http://", first + 1) == std::string::npos);
}

TEST_CASE("Attention is explained in the language of the environment", "[cli]") {
  const std::string sentence = "explain attention '나는 책을 읽는다' --kind ";
  for (const char* kind : {"none", "dot", "general", "additive", "scaled-dot", "multi-head",
                           "location", "local-m", "local-p"}) {
    const auto result = run_program(sentence + kind, "LC_ALL=ko_KR.UTF-8");
    INFO(kind);
    CHECK(result.exit_code == 0);
    CHECK(contains(result.output, "어텐션 한 걸음씩 따라가기: " + std::string(kind)));
    CHECK_FALSE(contains(result.output, "\x1b"));
    CHECK(result.errors.empty());
  }
  CHECK(contains(run_program(sentence + "dot", "LC_ALL=C.UTF-8").output, "Read as a soft"));
}

TEST_CASE("The attention of a trained model is explained", "[cli]") {
  const auto result =
      run_program("explain attention --language en '저는 책을 읽어요.' -m models/sample");
  CHECK(result.exit_code == 0);
  CHECK(contains(result.output, "저는 책을 읽어요. → I read a book."));
  CHECK(contains(result.output, "softmax(h_src · W h_t)"));
}

TEST_CASE("Attention is explained where the model says little, and refused where nothing",
          "[cli]") {
  for (const std::string sentence : {"5 €ㅋ", "😀 x"}) {
    INFO(sentence);
    CHECK(run_program("explain attention '" + sentence + "' -m models/sample").exit_code == 0);
  }
  for (const std::string sentence : {"123", "€5"}) {
    const auto result = run_program("explain attention '" + sentence + "' -m models/sample");
    CHECK(result.exit_code == 1);
    CHECK(contains(result.errors, "the model does not read this sentence"));
  }
  const auto unknown = run_program("explain attention 東京 -m models/sample");
  CHECK(contains(unknown.errors, "the translation is empty"));
}

TEST_CASE("A training that is watched ends as one that is not", "[cli]") {
  const TrainingTexts texts;
  const auto settings = std::string("--train.max-updates 60 --validation.interval 20 ");
  require_success(run_program(training_command(texts, settings, "alone")));
  const auto watched = run_program(training_command(texts, settings + "--live 0", "watched"));
  INFO(watched.errors);
  REQUIRE(watched.exit_code == 0);
  CHECK(contains(watched.errors, "live  http://127.0.0.1:"));
  const bool same = read_file(texts / "alone/model.safetensors") ==
                    read_file(texts / "watched/model.safetensors");
  CHECK(same);
  const auto page = (texts / "report.html").string();
  const auto report =
      run_program("report '" + (texts / "watched").string() + "' --threads 1 -o '" + page + "'");
  CHECK(report.exit_code == 0);
  CHECK(contains(read_file(page), "Translations over time"));
}

TEST_CASE("A watched training still saves and ends at a signal", "[cli]") {
  const TrainingTexts texts;
  const auto log = (texts / "log").string();
  ChildProgram program(training_command(texts,
                                        "--train.max-updates 1000000 --train.max-epochs 0 "
                                        "--validation.patience 0 --live 0"),
                       log);
  REQUIRE(program.wait_until([&] { return contains(read_file(log), "update 50 "); }));
  program.send(SIGINT);
  CHECK(program.wait() == 130);
  CHECK(contains(read_file(log), "interrupted at update"));
}

}  // namespace nmt
