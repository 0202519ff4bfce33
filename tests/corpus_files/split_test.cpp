#include "corpus_files/split.h"

#include <algorithm>
#include <set>

#include "files/line_reader.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using Lines = std::vector<std::string>;

std::string source_line(int i) { return "der Satz " + std::to_string(i); }
std::string target_line(int i) { return "the sentence " + std::to_string(i); }

/// 400 pairs, and 40 whose source repeats with another translation.
SplitRequest made_up_corpus(const TemporaryFolder& folder) {
  std::string source;
  std::string target;
  for (int i = 0; i < 440; ++i) {
    source += source_line(i % 400) + "\n";
    target += (i < 400 ? "" : "again ") + target_line(i % 400) + "\n";
  }
  SplitRequest request;
  request.source = folder.write("all.de", source);
  request.target = folder.write("all.en", target);
  request.folder = folder / "parts";
  return request;
}

}  // namespace

TEST_CASE("The parts of a corpus pair up, are complete and share no sentence", "[corpus_files]") {
  const TemporaryFolder folder;
  auto request = made_up_corpus(folder);
  request.pairs = 30;
  const auto summary = split_corpus(request);
  std::set<std::string> seen;
  size_t lines = 0;
  for (const std::string part : {"train", "valid", "test"}) {
    const auto source = read_lines(request.folder / (part + ".de"));
    const auto target = read_lines(request.folder / (part + ".en"));
    REQUIRE(source.size() == target.size());
    if (part != "train") REQUIRE(source.size() == 30);
    lines += source.size();
    std::set<std::string> in_part(source.begin(), source.end());
    for (size_t i = 0; i < source.size(); ++i) {
      const auto number = source[i].substr(source[i].rfind(' '));
      REQUIRE(target[i].substr(target[i].rfind(' ')) == number);
    }
    REQUIRE(std::none_of(in_part.begin(), in_part.end(),
                         [&](const auto& line) { return seen.count(line) > 0; }));
    seen.insert(in_part.begin(), in_part.end());
  }
  REQUIRE(seen.size() == 400);
  const auto left_out = 440 - lines;
  REQUIRE(left_out == 1);
  REQUIRE(contains(summary, "\n1 other left out"));
}

TEST_CASE("A rerun of a split writes the same files, another split keeps those that exist",
          "[corpus_files]") {
  const TemporaryFolder folder;
  auto request = made_up_corpus(folder);
  request.pairs = 30;
  split_corpus(request);
  const auto valid = read_lines(request.folder / "valid.de");
  CHECK_NOTHROW(split_corpus(request));
  CHECK(read_lines(request.folder / "valid.de") == valid);
  request.pairs = 20;
  CHECK(contains(error_of([&] { split_corpus(request); }),
                 "parts/valid.de: already exists with other sentences; use another directory"));
  CHECK(read_lines(request.folder / "valid.de") == valid);
  request.overwrite = true;
  split_corpus(request);
  CHECK(read_lines(request.folder / "valid.de").size() == 20);
  request.overwrite = false;
  request.folder = folder / "own";
  std::filesystem::create_directory(request.folder);
  folder.write("own/train.en", "mine\n");
  CHECK(contains(error_of([&] { split_corpus(request); }), "own/train.en: already exists"));
}

TEST_CASE("A corpus of too few different targets is refused for that", "[corpus_files]") {
  const TemporaryFolder folder;
  std::string source;
  std::string target;
  for (int i = 0; i < 400; ++i) {
    source += source_line(i) + "\n";
    target += target_line(i % 2) + "\n";
  }
  SplitRequest request;
  request.source = folder.write("all.de", source);
  request.target = folder.write("all.en", target);
  request.folder = folder / "parts";
  const auto refusal = [&] { return error_of([&] { split_corpus(request); }); };
  const std::string reason =
      "only 0 pairs can be held out, because other sources or targets repeat too often";
  CHECK(contains(refusal(), "all.de: " + reason));
  request.pairs = 20;
  CHECK(contains(refusal(), "20 pairs for each held-out set are too many: " + reason));
  request.pairs = 300;
  CHECK(contains(refusal(), "too many for a corpus of 400 different source sentences"));
}

TEST_CASE("A corpus is not replaced by a part of itself, and small ones stay whole",
          "[corpus_files]") {
  const TemporaryFolder folder;
  SplitRequest request;
  request.source = folder.write("train.de", "eins\nzwei\n");
  request.target = folder.write("train.en", "1\n2\n");
  request.folder = folder.path();
  REQUIRE(contains(error_of([&] { split_corpus(request); }), "train.de: used as input and output"));
  request.folder = folder / "parts";
  REQUIRE(contains(error_of([&] { split_corpus(request); }), "too few to divide"));
  REQUIRE_FALSE(std::filesystem::exists(request.folder));
}

}  // namespace nmt
