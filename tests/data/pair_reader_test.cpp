#include "data/pair_reader.h"

#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <regex>

#include "data/sample_corpus.h"
#include "files/line_reader.h"
#include "support/expect_error.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

std::vector<size_t> block(size_t first, size_t count) {
  std::vector<size_t> lines(count);
  std::iota(lines.begin(), lines.end(), first);
  return lines;
}

std::string error_of_reading(const std::filesystem::path& source,
                             const std::filesystem::path& target) {
  return error_of([&] {
    for_each_pair(source, target, [](int64_t, const std::string&, const std::string&) {});
  });
}

/// What is said of the text when these 0-based lines are missing from one side.
std::string error_without(const std::vector<size_t>& missing, MadeUpText& text, bool from_source) {
  auto& side = from_source ? text.source : text.target;
  for (auto line = missing.rbegin(); line != missing.rend(); ++line) {
    side.erase(side.begin() + static_cast<int64_t>(*line));
  }
  const TemporaryFolder folder;
  const auto source = folder.write("a", join_lines(text.source));
  const auto target = folder.write("b", join_lines(text.target));
  return error_of_reading(source, target);
}

long reported_line(const std::string& message) {
  std::smatch match;
  REQUIRE(std::regex_search(message, match, std::regex("near line ([0-9]+)")));
  return std::stol(match[1]);
}

}  // namespace

TEST_CASE("The pairs of two texts come in order, with their numbers", "[data]") {
  const TemporaryFolder folder;
  const auto text = make_text(137, 4);
  int64_t pairs = 0;
  for_each_pair(folder.write("a", join_lines(text.source)),
                folder.write("b", join_lines(text.target)),
                [&](int64_t number, const std::string& source, const std::string& target) {
                  const auto index = static_cast<size_t>(pairs++);
                  const bool same = number == pairs && source == text.source[index] &&
                                    target == text.target[index];
                  if (!same) FAIL("pair " << number);
                });
  REQUIRE(pairs == 137);
}

TEST_CASE("A reader goes on from a place that another one told", "[data]") {
  const TemporaryFolder folder;
  const auto text = make_text(50, 4);
  const auto target = folder.write("b", "\xEF\xBB\xBF" + join_lines(text.target));
  const bool compressed = GENERATE(false, true);
  auto source = folder.write("a", join_lines(text.source));
  if (compressed) {
    source = folder / "a.gz";
    gzFile file = gzopen(source.c_str(), "wb");
    for (const auto& line : text.source) gzputs(file, (line + "\r\n").c_str());
    gzclose(file);
  }
  PairReader first(source, target);
  std::string source_line;
  std::string target_line;
  for (int i = 0; i < 21; ++i) REQUIRE(first.next(source_line, target_line));
  PairReader second(source, target, first.place());
  for (size_t i = 21; i < 50; ++i) {
    REQUIRE(second.next(source_line, target_line));
    REQUIRE(source_line == text.source[i]);
    REQUIRE(target_line == text.target[i]);
    REQUIRE(second.place().lines == static_cast<int64_t>(i) + 1);
  }
  REQUIRE_FALSE(second.next(source_line, target_line));
}

TEST_CASE("A missing line is found near where it was", "[data]") {
  for (const size_t missing : {120U, 1503U, 2900U}) {
    for (const bool from_source : {true, false}) {
      auto text = make_text(3000, missing);
      const auto message = error_without({missing}, text, from_source);
      INFO(message);
      CHECK(contains(message, "3000"));
      CHECK(contains(message, "2999"));
      CHECK(std::abs(reported_line(message) - static_cast<long>(missing) - 1) <= 5);
    }
  }
}

TEST_CASE("Of several missing lines the first is found", "[data]") {
  const auto missing = GENERATE(std::vector<size_t>{700, 1500, 2300},
                                std::vector<size_t>{900, 901, 902, 2000}, block(400, 250));
  auto text = make_text(3000, 8);
  const auto message = error_without(missing, text, /*from_source=*/false);
  INFO(message);
  REQUIRE(std::abs(reported_line(message) - static_cast<long>(missing[0]) - 1) <= 5);
}

TEST_CASE("A file cut short is suspicious where it ends", "[data]") {
  auto text = make_text(2000, 3);
  const auto message = error_without(block(1900, 100), text, /*from_source=*/true);
  INFO(message);
  REQUIRE(reported_line(message) == 1901);
}

TEST_CASE("A side without any line is unequal from its first line on", "[data]") {
  const TemporaryFolder folder;
  const auto empty = folder.write("empty", "");
  const auto message = error_of_reading(folder.write("full", "a\nb\n"), empty);
  REQUIRE(contains(message, "full: 2 lines, but 0 in "));
  REQUIRE(reported_line(message) == 1);
}

TEST_CASE("A line missing from the sample corpus is found", "[data]") {
  const std::filesystem::path corpora = NMT_SOURCE_DIR "/data/sample";
  MadeUpText text{read_lines(corpora / "train.ko"), read_lines(corpora / "train.en")};
  const auto message = error_without({9000, 13000, 17000}, text, /*from_source=*/true);
  INFO(message);
  REQUIRE(std::abs(reported_line(message) - 9001) <= 5);
}

TEST_CASE("Absent files and folders are errors that name them", "[data]") {
  const TemporaryFolder folder;
  const auto empty = folder.write("empty", "");
  REQUIRE(contains(error_of_reading(folder / "absent", empty), "absent"));
  REQUIRE(contains(error_of_reading(folder.path(), empty), "is a folder"));
}

}  // namespace nmt
