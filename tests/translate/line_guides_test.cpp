#include "translate/line_guides.h"

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("Guides stand line by line in files beside the input", "[translate]") {
  const TemporaryFolder folder;
  const auto prefixes = folder.write("prefixes", "I\n\nThe dog\n");
  const auto constraints = folder.write("constraints", "book\ta good day\n\n\n");
  const LineGuides guides(prefixes, constraints);
  REQUIRE(guides.size() == 3);
  const auto some = guides.slice(0, 3);
  REQUIRE(some[0].prefix == "I");
  REQUIRE(some[0].constraints == std::vector<std::string>{"book", "a good day"});
  REQUIRE(some[1].prefix.empty());
  REQUIRE(some[1].constraints.empty());
  REQUIRE(guides.slice(2, 1).front().prefix == "The dog");
  REQUIRE(LineGuides().slice(4, 2).empty());
  REQUIRE(LineGuides("", "").empty());
}

TEST_CASE("Unequal numbers of lines are told with both", "[translate]") {
  const TemporaryFolder folder;
  const auto two = folder.write("two", "a\nb\n");
  const auto three = folder.write("three", "a\nb\nc\n");
  REQUIRE(contains(error_of([&] { LineGuides(two, three); }), "two has 2 lines and"));
  REQUIRE(contains(error_of([&] { LineGuides(two, three); }), "three 3; they have to pair"));
  const LineGuides guides(two, "");
  guides.require_lines("input", 2);
  REQUIRE(contains(error_of([&] { guides.require_lines("input", 5); }), "input has 5 lines and"));
  LineGuides().require_lines("input", 5);
}

}  // namespace nmt
