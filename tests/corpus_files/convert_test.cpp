#include "corpus_files/convert.h"

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

TEST_CASE("Translation memories are not written", "[corpus_files]") {
  const TemporaryFolder folder;
  const auto table = folder.write("a.tsv", "1\teins\n");
  for (const PairOutput& output :
       {PairOutput{folder / "b.tmx.gz", ""}, PairOutput{folder / "b.de", folder / "b.tmx"}}) {
    REQUIRE(
        contains(error_of([&] {
                   convert_corpus(*open_corpus(TabSeparatedFile{table, {1, 2}}), output);
                 }),
                 ": translation memories are read, not written; use another ending, e.g. .tsv"));
    REQUIRE_FALSE(std::filesystem::exists(output.source));
  }
}

}  // namespace nmt
