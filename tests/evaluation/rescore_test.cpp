#include "evaluation/rescore.h"

#include "files/line_reader.h"
#include "formats/n_best_list.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/imported_model.h"
#include "support/log_capture.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

struct Rescoring {
  explicit Rescoring(const std::string& list) {
    request.pairs.translator.model_dirs = {NMT_SOURCE_DIR "/models/sample"};
    request.pairs.translator.threads = 1;
    request.pairs.source = folder.write("source", "저는 책을 읽어요.\n민수는 커피를 마셨어요?\n");
    request.list = folder.write("list", list);
    request.pairs.output = folder / "output";
  }

  std::vector<NBestEntry> entries() {
    rescore_n_best(request);
    std::vector<NBestEntry> found;
    for (const auto& line : read_lines(request.pairs.output)) {
      found.push_back(parse_n_best_entry(line));
    }
    return found;
  }

  TemporaryFolder folder;
  RescoringRequest request;
};

const std::string kList =
    "0 ||| I drink coffee. ||| A= 1 ||| -0.1\n"
    "0 ||| I read a book. ||| A= 2 ||| -0.2\n"
    "1 ||| Did Minsu drink coffee? ||| A= 3 ||| -0.3\n"
    "1 ||| Does Minsu drink tea? ||| A= 4 ||| -0.4\n";

}  // namespace

TEST_CASE("A list is sorted by the model's score, with its log-probability as a feature",
          "[evaluation][n-best]") {
  Rescoring rescoring(kList);
  rescoring.request.feature = "model";
  const auto entries = rescoring.entries();
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].text == "I read a book.");
  CHECK(entries[1].text == "I drink coffee.");
  CHECK(entries[2].text == "Did Minsu drink coffee?");
  CHECK(entries[3].line == 1);
  const auto translation = Translator(rescoring.request.pairs.translator)
                               .translate({"저는 책을 읽어요."})[0]
                               .candidates.front();
  REQUIRE(translation.text == "I read a book.");
  CHECK(entries[0].score == Approx(translation.score).margin(1e-4));
  NBestEntry expected{0, "", "A= 2", 0.0};
  expected.add_feature("model", translation.log_probability);
  CHECK(entries[0].features.substr(0, 16) == expected.features.substr(0, 16));
}

TEST_CASE("The weight joins the new score with the old one", "[evaluation][n-best]") {
  Rescoring rescoring(kList);
  const auto by_model = rescoring.entries();
  rescoring.request.weight = 0.25;
  const auto joint = rescoring.entries();
  REQUIRE(joint[0].text == by_model[0].text);
  CHECK(joint[0].score == Approx(0.25 * by_model[0].score + 0.75 * -0.2).margin(1e-5));
  rescoring.request.weight = 0.0;
  const auto old = rescoring.entries();
  CHECK(old[0].text == "I drink coffee.");
  CHECK(old[0].score == Approx(-0.1));
}

TEST_CASE("A list of text is not silently scored as tokens", "[evaluation][n-best]") {
  Rescoring rescoring("0 ||| die Katzen . ||| ||| -1\n0 ||| eine . ||| ||| -2\n");
  rescoring.request.pairs.translator.model_dirs = {
      write_imported_model(rescoring.folder / "model")};
  rescoring.folder.write("source", "the ca@@ ts .\n");
  const auto warning = [&] {
    const LogCapture log;
    rescoring.entries();
    return log.text();
  };
  CHECK(contains(warning(), "list: text, but this model reads tokens"));
  rescoring.folder.write("list", "0 ||| die Kat@@ zen . ||| ||| -1\n0 ||| ei@@ ne . ||| ||| -2\n");
  CHECK_FALSE(contains(warning(), "reads tokens"));
}

TEST_CASE("A wrong list is named with its line", "[evaluation][n-best]") {
  Rescoring rescoring("0 ||| a ||| A= 1 ||| 0\n7 ||| b ||| A= 1 ||| 0\n");
  CHECK(contains(error_of([&] { rescoring.entries(); }), "list: line 2: the source has only 2"));
  rescoring.folder.write("list", "1 ||| a ||| ||| 0\n0 ||| b ||| ||| 0\n");
  CHECK(
      contains(error_of([&] { rescoring.entries(); }), "list: line 2: its source line is before"));
  rescoring.folder.write("list", "1 ||| a ||| ||| 0\nb\n");
  CHECK(contains(error_of([&] { rescoring.entries(); }), "list: line 2: not LINE ||| TRANS"));
  rescoring.folder.write("list", "1 ||| a ||| rescored= 1 ||| 0\n");
  CHECK(contains(error_of([&] { rescoring.entries(); }), "list: line 1: has a feature rescored"));
  rescoring.folder.write("list", "1 ||| a ||| ||| inf\n");
  CHECK(
      contains(error_of([&] { rescoring.entries(); }), "list: line 1: does not end with a score"));
  CHECK_FALSE(std::filesystem::exists(rescoring.request.pairs.output));
}

}  // namespace nmt
