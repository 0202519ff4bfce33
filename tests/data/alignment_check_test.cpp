#include "data/alignment_check.h"

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <regex>

#include "data/sample_corpus.h"
#include "support/expect_error.h"
#include "support/line_reader.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

std::vector<size_t> block(size_t first, size_t count) {
  std::vector<size_t> lines(count);
  std::iota(lines.begin(), lines.end(), first);
  return lines;
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
  return error_of([&] { check_alignment(source, target); });
}

long reported_line(const std::string& message) {
  std::smatch match;
  REQUIRE(std::regex_search(message, match, std::regex("near line ([0-9]+)")));
  return std::stol(match[1]);
}

}  // namespace

TEST_CASE("A corpus of equal sides has its lines counted", "[data]") {
  const TemporaryFolder folder;
  const auto text = make_text(137, 4);
  REQUIRE(check_alignment(folder.write("a", join_lines(text.source)),
                          folder.write("b", join_lines(text.target))) == 137);
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
  const auto message = error_of([&] { check_alignment(folder.write("full", "a\nb\n"), empty); });
  REQUIRE(contains(message, "has 2 lines"));
  REQUIRE(reported_line(message) == 1);
}

TEST_CASE("A line missing from real text is found", "[data]") {
  const std::filesystem::path corpora = NMT_SOURCE_DIR "/../shared/data/multi30k";
  if (!std::filesystem::exists(corpora)) {
    WARN("skipped: ../shared/data/multi30k is absent");
    return;
  }
  MadeUpText text{read_lines(corpora / "train.de"), read_lines(corpora / "train.en")};
  const auto message = error_without({9000, 17000, 25000}, text, /*from_source=*/true);
  INFO(message);
  REQUIRE(std::abs(reported_line(message) - 9001) <= 5);
}

TEST_CASE("Bad UTF-8 is reported with file, line and byte", "[data]") {
  const TemporaryFolder folder;
  const auto good = folder.write("good", "one\ntwo\nthree\n");
  const auto bad = folder.write("bad", "하나\n둘\nab\xFF\n");
  const auto message = error_of([&] { check_alignment(good, bad); });
  REQUIRE(contains(message, "bad: line 3: byte 3 is not valid UTF-8"));
}

TEST_CASE("Empty and absent corpora are errors that name them", "[data]") {
  const TemporaryFolder folder;
  const auto empty = folder.write("empty", "");
  REQUIRE(contains(error_of([&] { check_alignment(empty, empty); }), "the corpus is empty"));
  REQUIRE(contains(error_of([&] { check_alignment(folder / "absent", empty); }), "absent"));
  REQUIRE(contains(error_of([&] { check_alignment(folder.path(), empty); }), "is a folder"));
}

}  // namespace nmt
