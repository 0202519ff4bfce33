#include "data/alignment_check.h"

#include <regex>

#include "data/sample_corpus.h"
#include "support/expect_error.h"
#include "support/torch_catch.h"

namespace nmt {

TEST_CASE("A corpus of equal sides has its lines counted", "[data]") {
  const TemporaryFolder folder;
  const auto text = make_text(137, 4);
  REQUIRE(check_alignment(folder.write("a", join_lines(text.source)),
                          folder.write("b", join_lines(text.target))) == 137);
}

TEST_CASE("A missing line is found near where it was", "[data]") {
  for (const size_t missing : {120U, 1503U, 2900U}) {
    for (const bool from_source : {true, false}) {
      const TemporaryFolder folder;
      auto text = make_text(3000, missing);
      auto& side = from_source ? text.source : text.target;
      side.erase(side.begin() + static_cast<int64_t>(missing));
      const auto source = folder.write("a", join_lines(text.source));
      const auto target = folder.write("b", join_lines(text.target));
      const auto message = error_of([&] { check_alignment(source, target); });
      INFO(message);
      CHECK(contains(message, "3000"));
      CHECK(contains(message, "2999"));
      std::smatch match;
      REQUIRE(std::regex_search(message, match, std::regex("near line ([0-9]+)")));
      CHECK(std::abs(std::stol(match[1]) - static_cast<long>(missing) - 1) <= 5);
    }
  }
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
