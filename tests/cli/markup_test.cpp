#include <filesystem>
#include <string>

#include "cli/run_program.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

const std::string kTranslateSample = "translate --model-dir models/sample ";

std::string printing(const std::string& text) { return "printf '%s' '" + text + "' |"; }

}  // namespace

TEST_CASE("A document is translated with its markup", "[cli]") {
  const auto page = printing("<p>저는 <b>책을</b> 읽어요.</p>\r\n<pre>저</pre>");
  REQUIRE(run_program(kTranslateSample + "--format html", page).output ==
          "<p>I read <b>a book</b>.</p>\r\n<pre>저</pre>");
  REQUIRE(run_program(kTranslateSample + "--format markdown", printing("# 저는 **책을** 읽어요."))
              .output == "# I read **a book**.");
  REQUIRE(run_program("interactive -m models/sample --format xml",
                      "echo '<a>저는 <b>책을</b> 읽어요.</a>' |")
              .output == "<a>I read <b>a book</b>.</a>\n");
}

TEST_CASE("The name of the input chooses its format", "[cli]") {
  const TemporaryFolder folder;
  const auto translated = [&](const std::string& name, const std::string& text,
                              const std::string& options = "") {
    folder.write(name, text);
    return run_program(kTranslateSample + options + " -i " + (folder / name).string()).output;
  };
  CHECK(translated("a.HTML", "<b>저는 책을 읽어요.</b>") == "<b>I read a book.</b>");
  const std::string times = "1\n00:00:01,000 --> 00:00:02,000\n";
  CHECK(translated("a.srt", times + "저는 책을\n읽어요.\n") == times + "I read a\nbook.\n");
  CHECK(translated("a.po", "msgid \"저는 책을 읽어요.\"\nmsgstr \"\"\n") ==
        "msgid \"저는 책을 읽어요.\"\nmsgstr \"I read a book.\"\n");
  CHECK(translated("b.html", "저는 책을 읽어요. 저는 물을 마셔요.\n", "--format text") ==
        "I read a book. I drink water.\n");
}

TEST_CASE("A document that cannot be read leaves no output", "[cli]") {
  const TemporaryFolder folder;
  folder.write("in.xml", "<a>\n<b></a>");
  const auto result =
      run_program(kTranslateSample + "--format xml -i " + (folder / "in.xml").string() + " -o " +
                  (folder / "out").string());
  REQUIRE(result.exit_code == 1);
  REQUIRE(contains(result.errors, "in.xml: XML: line 2, column 6: mismatched tag"));
  REQUIRE_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_CASE("Options of lines are refused for documents", "[cli]") {
  for (const std::string option :
       {"--json", "--scores", "--n-best 2", "--restart", "--shard 1/2", "--attention", "--prefix x",
        "--constraints x", "--alignments x"}) {
    INFO(option);
    const auto result = run_program(kTranslateSample + "--format html " + option, printing("x"));
    REQUIRE(result.exit_code == 2);
    REQUIRE(contains(result.errors, "only for --format text"));
  }
}

}  // namespace nmt
