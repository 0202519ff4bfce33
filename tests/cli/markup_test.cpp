#include <csignal>
#include <filesystem>
#include <string>

#include "cli/child_program.h"
#include "cli/run_program.h"
#include "files/line_reader.h"
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

TEST_CASE("A page is in the language of the translation", "[cli]") {
  const std::string page = "<html lang=\"ko\"><p>저는 책을 읽어요.</p></html>";
  REQUIRE(run_program(kTranslateSample + "--format html", printing(page)).output ==
          "<html lang=\"en\"><p>I read a book.</p></html>");
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

TEST_CASE("The name of a compressed input chooses its format, too", "[cli]") {
  const TemporaryFolder folder;
  const auto compressed = [&](const std::string& name, const std::string& options) {
    const auto plain = folder.write(name, "저는 **책을** 읽어요.").string();
    return run_program(kTranslateSample + options + "-i " + plain + ".gz",
                       "gzip -f " + plain + " && ");
  };
  CHECK(compressed("a.md", "").output == "I read **a book**.");
  CHECK(contains(compressed("a.docx", "").errors, "a.docx.gz: ZIP archive: Not a zip archive"));
  const auto refused = compressed("a.md", "--scores ");
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused.errors, "omit it with --format markdown"));
}

TEST_CASE("A document's output is compressed where its name ends in .gz", "[cli]") {
  const TemporaryFolder folder;
  const auto input = folder.write("a.md", "# 저는 책을 읽어요.\n").string();
  const auto output = (folder / "b.md.gz").string();
  require_success(run_program(kTranslateSample + "-i " + input + " -o " + output));
  CHECK(LineReader(output).is_compressed());
  CHECK(LineReader(output).rest() == "# I read a book.\n");
}

TEST_CASE("Input that is no text leaves no output, nor is it translated", "[cli]") {
  const TemporaryFolder folder;
  const auto slides = folder.write("a.pptx", "PK\x03\x04 slides\n").string();
  const auto output = folder / "b.pptx";
  const auto to_output = kTranslateSample + "-o " + output.string();
  for (const auto& result :
       {run_program(to_output + " -i " + slides), run_program(to_output + " < " + slides),
        run_program(to_output, "cat " + slides + " |")}) {
    CHECK(result.exit_code == 1);
    CHECK(contains(result.errors, ": a ZIP archive, not text; "));
    CHECK(count_lines(result.errors) == 1);
    CHECK_FALSE(std::filesystem::exists(output));
  }
  const auto pdf = folder.write("a.pdf", "%PDF-1.4\n%\xE2\xE3\n").string();
  const auto refused = run_program(to_output + " -i " + pdf);
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.errors, "a.pdf: a PDF, not text; "));
  CHECK_FALSE(std::filesystem::exists(output));
}

TEST_CASE("An output that is named as another document is refused before the model loads",
          "[cli]") {
  const auto translate = [](const std::string& files) {
    return run_program("translate -m absent " + files);
  };
  for (const std::string files :
       {"-i a.html -o a.docx", "-i a.docx -o a.odt", "-i a.docx -o a.html", "-i a.md -o a.html",
        "-i a.txt -o a.docx", "-i a.md.gz -o a.HTML.gz", "--format html -o a.docx",
        "-i a.docx -o a.txt", "-i a.odt -o a.TXT.gz"}) {
    INFO(files);
    const auto result = translate(files);
    CHECK(result.exit_code == 2);
    CHECK(contains(result.errors, "but the input is read as "));
  }
  for (const std::string files :
       {"-i a.html -o a.htm", "-i a.docx -o b.DOCX", "-i a.md -o a.md.gz", "-i a.srt -o a.txt",
        "-i a.docx -o a", "--format html -o a.html", "--format text -i a.md -o b.md",
        "--format html -i a.xhtml -o b.xhtml", "-i a.de -o a.en", "-i a.html",
        "-i a.txt -o a.md"}) {
    INFO(files);
    CHECK(contains(translate(files).errors, "absent: no such model directory"));
  }
}

TEST_CASE("Documents that no format fits are not read as text by their names", "[cli]") {
  for (const std::string name :
       {"a.vtt",     "a.VTT.gz", "a.json", "a.YAML",    "a.csv", "a.resx",  "a.tmx",
        "a.strings", "a.ass",    "a.ssa",  "a.sub",     "a.sbv", "a.rtf",   "a.tex",
        "a.rst",     "a.adoc",   "a.org",  "a.textile", "a.eml", "a.ipynb", "a.jsonl",
        "a.ini",     "a.php",    "a.toml", "a.ttml",    "a.js"}) {
    INFO(name);
    const auto result = run_program("translate -m absent -i " + name);
    CHECK(result.exit_code == 2);
    CHECK(contains(result.errors, name + ": "));
    CHECK(contains(result.errors, " or --format text for its lines"));
    CHECK(contains(run_program("translate -m absent --format text -i " + name).errors,
                   "absent: no such model directory"));
  }
}

TEST_CASE("--format takes the extension of a format", "[cli]") {
  for (const std::string name : {"md", "htm", "pot", "XHTML"}) {
    INFO(name);
    CHECK(contains(run_program("translate -m absent --format " + name).errors,
                   "absent: no such model directory"));
  }
  CHECK(contains(run_program("translate -m absent --format docx").errors,
                 "'docx' is read by the file's name; omit --format"));
  for (const std::string name : {"txt", ""}) {
    CHECK(contains(run_program("translate -m absent --format '" + name + "'").errors,
                   "'" + name + "' is none of text, html, xml, markdown, srt, po, wrapped"));
  }
}

TEST_CASE("A sentence of wrapped text is translated as a whole", "[cli]") {
  const auto result = run_program(kTranslateSample + "--format wrapped",
                                  printing("저는 도서관에서\n책을 읽었어요.\n"));
  CHECK(result.output == "I read a book\nin the library.\n");
}

TEST_CASE("XML is not read as text whatever its name", "[cli]") {
  const TemporaryFolder folder;
  for (const std::string name : {"a.ko", "a.ts"}) {
    INFO(name);
    const std::string root = name == "a.ko" ? "<a/>" : "<TS><message/></TS>";
    const auto file = folder.write(name, "<?xml version=\"1.0\"?>\n" + root).string();
    const auto result = run_program("translate -m absent -i " + file);
    CHECK(result.exit_code == 2);
    CHECK(contains(result.errors,
                   name == "a.ko"
                       ? "a.ko: begins as XML; use --format xml, or"
                       : "a.ts: Qt Linguist's format is not supported; convert it to .po"));
    CHECK(contains(run_program("translate -m absent --format text -i " + file).errors,
                   "absent: no such model directory"));
  }
  const auto tsonga = folder.write("b.ts", "Avuxeni.\n").string();
  CHECK(contains(run_program("translate -m absent -i " + tsonga).errors,
                 "absent: no such model directory"));
}

TEST_CASE("A document on standard input is not read as text", "[cli]") {
  const TemporaryFolder folder;
  const auto page = folder.write("a", "<!DOCTYPE html>\n<p>끝</p>\n").string();
  const auto output = folder / "out";
  const auto to_output = kTranslateSample + "-o " + output.string();
  for (const auto& result :
       {run_program(to_output + " < " + page), run_program(to_output, "cat " + page + " |")}) {
    CHECK(result.exit_code == 2);
    CHECK(contains(result.errors,
                   "standard input: begins as HTML; use --format html, or --format text"));
    CHECK_FALSE(std::filesystem::exists(output));
  }
  CHECK(run_program(to_output + " --format text < " + page).exit_code == 0);
}

TEST_CASE("An interrupted document leaves no file", "[cli]") {
  const TemporaryFolder folder;
  std::string page;
  for (int i = 0; i < 3000; ++i) page += "<p>저는 " + std::to_string(i) + " 책을 읽어요.</p>\n";
  const auto input = folder.write("a.html", page).string();
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto log = (folder / "log").string();
    ChildProgram program(kTranslateSample + "-i " + input + " -o " + (folder / "b.html").string(),
                         log);
    REQUIRE(program.wait_until([&] { return std::filesystem::exists(folder / "b.html.partial"); }));
    program.send(signal);
    CHECK(program.wait() == 128 + signal);
    CHECK(contains(read_file(log), "interrupted: " + input + " is not translated"));
    CHECK_FALSE(std::filesystem::exists(folder / "b.html.partial"));
    CHECK_FALSE(std::filesystem::exists(folder / "b.html"));
    std::filesystem::remove(log);
  }
}

TEST_CASE("The first sentence without a translation is named", "[cli]") {
  const auto result = run_program(kTranslateSample + "--format html", printing("<p>끝</p>"));
  CHECK(result.output == "<p>끝</p>");
  CHECK(contains(result.errors, "1 sentence without a translation: left untranslated, 끝\n"));
  const auto lines = run_program(kTranslateSample, printing("끝\n책\n끝\n"));
  CHECK(lines.output.rfind("끝\n", 0) == 0);
  CHECK(
      contains(lines.errors, "2 lines without a translation: left untranslated, the first: 끝\n"));
}

TEST_CASE("Plurals of ICU that stay untranslated are counted", "[cli]") {
  const std::string document =
      R"(<xliff version="1.2"><file><body><trans-unit id="1">)"
      "<source>{n, plural, other {책}}</source></trans-unit></body></file></xliff>";
  const auto result = run_program(kTranslateSample + "--format xliff", printing(document));
  CHECK(result.output == document);
  CHECK(contains(result.errors,
                 "1 ICU plural or selection left untranslated; translate the cases yourself\n"));
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
