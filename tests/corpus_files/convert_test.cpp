#include "corpus_files/convert.h"

#include <algorithm>

#include "corpus_files/merge.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("Texts become tab-separated and texts again", "[corpus_files]") {
  const TemporaryFolder folder;
  const TextFiles texts = {folder.write("a.de", "eins\r\nz\twei\n"), folder.write("a.en", "1\n2")};
  const auto table = folder / "a.tsv.gz";
  REQUIRE(convert_corpus(*open_corpus(texts), {table, ""}) == "2 pairs\n");
  REQUIRE(LineReader(table).rest() == "eins\t1\nz wei\t2\n");
  const PairOutput back = {folder / "b.en", folder / "b.de"};
  convert_corpus(*open_corpus(TabSeparatedFile{table, {2, 1}}), back);
  REQUIRE(read_file(back.source) == "1\n2\n");
  REQUIRE(read_file(back.target) == "eins\nz wei\n");
}

TEST_CASE("Texts of more than a block are written whole", "[corpus_files]") {
  const TemporaryFolder folder;
  std::string source;
  std::string target;
  for (int i = 0; i < 20000; ++i) {
    source += "Satz " + std::to_string(i) + "\n";
    target += std::to_string(i) + "\n";
  }
  const TextFiles texts = {folder.write("a.de", source), folder.write("a.en", target)};
  const PairOutput output = {folder / "b.de", folder / "b.en"};
  REQUIRE(convert_corpus(*open_corpus(texts), output) == "20000 pairs\n");
  REQUIRE(read_file(output.source) == source);
  REQUIRE(read_file(output.target) == target);
}

TEST_CASE("Rows without the columns are refused, and nothing is written", "[corpus_files]") {
  const TemporaryFolder folder;
  const auto table = folder.write("a.tsv", "1\teins\tx\n2\n");
  const PairOutput output = {folder / "b.de", folder / "b.en"};
  const auto error = [&](int source, int target) {
    return error_of([&] {
      convert_corpus(*open_corpus(TabSeparatedFile{table, {source, target}}), output);
    });
  };
  REQUIRE(
      contains(error(1, 2), "a.tsv: line 2 has 1 column separated by tabs, column 2 is needed"));
  REQUIRE(contains(error(4, 1), "line 1 has 3 columns"));
  REQUIRE_FALSE(std::filesystem::exists(output.source));
  const auto empty = folder.write("empty.tsv", "");
  REQUIRE(contains(error_of([&] {
                     convert_corpus(*open_corpus(TabSeparatedFile{empty, {1, 2}}), output);
                   }),
                   "no pair"));
  REQUIRE(contains(error_of([&] {
                     convert_corpus(*open_corpus(TabSeparatedFile{table, {1, 2}}), {"x", "x"});
                   }),
                   "x: used for two outputs"));
}

namespace {

struct Converted {
  std::string source;
  std::string target;
  std::string summary;
};

Converted convert(const std::string& name, const std::string& content, bool header = false) {
  const TemporaryFolder folder;
  const PairOutput output = {folder / "b.de", folder / "b.en"};
  TabSeparatedFile table = {folder.write(name, content)};
  table.header = header;
  const auto summary = convert_corpus(*open_corpus(table), output);
  return {read_file(output.source), read_file(output.target), summary};
}

}  // namespace

TEST_CASE("Only the quoting of spreadsheets is removed from tab-separated text", "[corpus_files]") {
  const std::string sheet =
      "\"Er sagt \"\"ja\"\".\"\tHe says yes.\n\"Ja, gut.\"\t\"Yes,\tgood.\"\n";
  const auto converted = convert("a.tsv", sheet);
  CHECK(converted.source == "Er sagt \"ja\".\nJa, gut.\n");
  CHECK(converted.target == "He says yes.\nYes,\tgood.\n");
  CHECK(contains(converted.summary, "2 pairs\n"));
  CHECK(contains(converted.summary,
                 "a.tsv: quoted by a spreadsheet; removed the quotation marks around 3 cells\n"));
  CHECK_FALSE(contains(convert("a.csv", "a;\"b\"\n").summary, "quot"));
  // Text, not quoting: some also looks like a cell with an escape or a line break.
  for (const std::string text :
       {"\"Ja.\"\t\"Yes.\"\n", "\"Ja\", sagt er.\tYes.\n\"\"\"\t\"\"\"\"\n\"a\tb\"\n",
        "Er:\t\"Yes.\nNo.\"\tEr\n", "\"Ja, gut.\"\tYes\n\"Nein, nein.\"\tNo\n"}) {
    INFO(text);
    const auto kept = convert("a.tsv", text);
    CHECK_FALSE(contains(kept.summary, "quot"));
    CHECK(kept.source.substr(0, 3) == text.substr(0, 3));
  }
}

TEST_CASE("Sheets that quote all cells with commas are recognized", "[corpus_files]") {
  std::string sheet = "Deutsch\tEnglisch\n";
  for (int i = 0; i < 20; ++i) sheet += "\"Ja, gut.\"\tYes.\n";
  CHECK(contains(convert("a.tsv", sheet).source, "\nJa, gut.\n"));
  CHECK(contains(convert("a.tsv", sheet + "Ja, gut.\tYes.\n").source, "\n\"Ja, gut.\"\n"));
}

TEST_CASE("Cells of several lines become one, and blank rows are skipped", "[corpus_files]") {
  const auto converted =
      convert("a.tsv", "de\ten\n\"eins\n\nzwei\"\t\"one\ntwo\"\n\n \ndrei\t\"three\n", true);
  CHECK(converted.source == "eins zwei\ndrei\n");
  CHECK(converted.target == "one two\n\"three\n");
  CHECK(contains(converted.summary, "2 pairs; skipped: 2 blank rows\n"));
}

TEST_CASE("Files named .csv are separated by commas or semicolons", "[corpus_files]") {
  const auto commas =
      convert("a.csv", "Deutsch,Englisch\r\n\"Ja, gut.\",\"\"\"Yes\"\"\"\r\nx;y,z\r\n", true);
  CHECK(commas.source == "Ja, gut.\nx;y\n");
  CHECK(commas.target == "\"Yes\"\nz\n");
  CHECK(convert("a.CSV", "Ja, gut.;\"Yes; good.\"\nNein.;No.\n").target == "Yes; good.\nNo.\n");
  CHECK(convert("a.csv", "Ja.\tYes, yes.\n").target == "Yes, yes.\n");
  CHECK(contains(error_of([] { convert("a.csv", "a,b\nc\n"); }),
                 "a.csv: line 2 has 1 column separated by commas, column 2 is needed; correct"));
  CHECK(convert("a.csv", "\"a\rb\nc\",d,e\n\"f\", \"g, h\",i\n").target == "d\ng, h\n");
  CHECK(convert("a.csv", "sep=\t\nde\ten\nJa\tYes\n", true).source == "Ja\n");
  const auto blank = convert("a.csv", "sep=;\nJa;Yes;x\n;;\n");
  CHECK(blank.source == "Ja\n");
  CHECK(contains(blank.summary, "1 pair; skipped: 1 blank row\n"));
  CHECK(contains(error_of([] { convert("a.csv", "a,b\nHallo, Welt,Hello\n"); }),
                 "a.csv: line 2 has 3 columns, but the first row 2; quote cells"));
  CHECK(contains(error_of([] {
                   const TemporaryFolder folder;
                   folder.write("a.csv", "id;de;en\n1;Ja;Yes\n");
                   convert_corpus(*open_corpus(TabSeparatedFile{folder / "a.csv", {2, 4}}),
                                  {folder / "b.tsv", ""});
                 }),
                 "3 columns separated by semicolons, column 4 is needed"));
  CHECK(contains(error_of([] { convert("a.txt", "a,b\n"); }),
                 "needed; save the table as tab-separated text or .csv, in UTF-8"));
}

TEST_CASE("Only the first line of a sheet notes the delimiter", "[corpus_files]") {
  std::string sheet;
  for (int i = 0; i < 100'000; ++i) sheet += "sep=;\n";
  const auto found = convert("a.csv", sheet + "Ja;Yes\n");
  CHECK(std::count(found.source.begin(), found.source.end(), '\n') == 100'000);
}

TEST_CASE("A conversion that exchanges the sides warns", "[corpus_files]") {
  std::string right;
  std::string wrong;
  for (int i = 0; i < 20; ++i) {
    right += "Das ist ein Satz.\tThat is the sentence.\n";
    wrong += "That is the sentence.\tDas ist ein Satz.\n";
  }
  const std::string warning =
      "b.en: each seems to be in the language that the other is named after; exchange the two\n";
  CHECK(contains(convert("a.tsv", wrong).summary, warning));
  CHECK_FALSE(contains(convert("a.tsv", right).summary, "each seems"));
}

TEST_CASE("Pairs that are not UTF-8 are counted, and the first is named", "[corpus_files]") {
  const TemporaryFolder folder;
  const auto table = folder.write("a.tsv", "1\teins\n2\tzw\xE9i\n\xFF\tdrei\n");
  const auto output = folder / "b.tsv";
  REQUIRE(convert_corpus(*open_corpus(TabSeparatedFile{table, {1, 2}}), {output, ""}) ==
          "3 pairs\n" + output.string() +
              ": 2 pairs are not valid UTF-8, the first in line 2; nmt data clean drops such "
              "pairs; to keep them, convert the file, for example with iconv -f WINDOWS-1252 -t "
              "UTF-8 (or from its encoding, e.g. EUC-KR)\n");
}

TEST_CASE("Both sides are not written into one file of two names", "[corpus_files]") {
  const TemporaryFolder folder;
  const auto table = folder.write("a.tsv", "1\teins\n");
  std::filesystem::create_symlink("b.de", folder / "link");
  for (const char* other : {"./b.de", "absent/../b.de", "link"}) {
    INFO(other);
    REQUIRE(contains(error_of([&] {
                       convert_corpus(*open_corpus(TabSeparatedFile{table, {1, 2}}),
                                      {folder / "b.de", folder / other});
                     }),
                     "b.de: used for two outputs"));
  }
}

TEST_CASE("Merged corpora follow each other, pair by pair", "[corpus_files]") {
  const TemporaryFolder folder;
  MergeRequest request;
  request.sources = {folder.write("a.de", "eins\nzwei"), folder.write("b.de", "drei\n")};
  request.targets = {folder.write("a.en", "1\n2\n"), folder.write("b.en", "3")};
  request.output = {folder / "all.de", folder / "all.en"};
  REQUIRE(contains(merge_corpora(request), "3 pairs\n  2  "));
  REQUIRE(read_file(request.output.source) == "eins\nzwei\ndrei\n");
  REQUIRE(read_file(request.output.target) == "1\n2\n3\n");
  request.targets.pop_back();
  REQUIRE(contains(error_of([&] { merge_corpora(request); }), "as many of both"));
  request.targets.push_back(folder.write("c.en", "3\n4\n"));
  REQUIRE(contains(error_of([&] { merge_corpora(request); }), "must pair line by line"));
  REQUIRE(read_file(request.output.target) == "1\n2\n3\n");
}

TEST_CASE("An ending is one in capitals, too", "[corpus_files]") {
  for (const char* name : {"a.tmx", "a.TMX", "a.Tmx.gz", "a.TMX.GZ"}) {
    REQUIRE(has_ending(name, ".tmx"));
  }
  REQUIRE_FALSE(has_ending("tmx", ".tmx"));
  REQUIRE_FALSE(has_ending("a.tmx.tsv", ".tmx"));
}

TEST_CASE("Translation memories and .csv are not written", "[corpus_files]") {
  const TemporaryFolder folder;
  const auto table = folder.write("a.tsv", "1\teins\n");
  for (const PairOutput& output :
       {PairOutput{folder / "b.tmx.gz", ""}, PairOutput{folder / "b.de", folder / "b.tmx"},
        PairOutput{folder / "b.csv", ""}}) {
    REQUIRE(contains(error_of([&] {
                       convert_corpus(*open_corpus(TabSeparatedFile{table, {1, 2}}), output);
                     }),
                     " are read, not written; use another ending, e.g. .tsv"));
    REQUIRE_FALSE(std::filesystem::exists(output.source));
  }
}

}  // namespace nmt
