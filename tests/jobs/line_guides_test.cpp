#include "jobs/line_guides.h"

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("Guides stand line by line in files beside the input", "[translate]") {
  const TemporaryFolder folder;
  const auto prefixes = folder.write("prefixes", "I\n\nThe dog\n");
  const auto constraints = folder.write("constraints", "book\ta good day\n\n\t\t\n");
  const auto references = folder.write("references", "I read.\n\nThe dog barks.\n");
  LineGuides guides({prefixes, constraints, references});
  REQUIRE(guides.size() == 3);
  const auto some = guides.slice(0, 2);
  REQUIRE(some[0].constraints.prefix == "I");
  REQUIRE(some[0].constraints.phrases == std::vector<std::string>{"book", "a good day"});
  REQUIRE(some[0].reference == "I read.");
  REQUIRE(some[1].constraints.prefix.empty());
  REQUIRE(some[1].constraints.phrases.empty());
  REQUIRE(some[1].reference.empty());
  const auto last = guides.slice(2, 1).front().constraints;
  REQUIRE(last.prefix == "The dog");
  REQUIRE(last.phrases.empty());
  const auto spaces = folder.write("spaces", " \nI \n");
  const auto blank = folder.write("blank", "a\t \tb\n \n");
  const auto guided = LineGuides({spaces, blank, ""}).slice(0, 2);
  REQUIRE(guided[0].constraints.prefix.empty());
  REQUIRE(guided[0].constraints.phrases == std::vector<std::string>{"a", "b"});
  REQUIRE(guided[1].constraints.prefix == "I ");
  REQUIRE(guided[1].constraints.phrases.empty());
  REQUIRE(LineGuides().slice(4, 2).empty());
  REQUIRE(LineGuides(GuideFiles()).empty());
  REQUIRE(LineGuides({"", "", references}).slice(2, 1).front().reference == "The dog barks.");
}

TEST_CASE("Unequal numbers of lines are told with both", "[translate]") {
  const TemporaryFolder folder;
  const auto two = folder.write("two", "a\nb\n");
  const auto three = folder.write("three", "a\nb\nc\n");
  for (const auto& files : {GuideFiles{two, three, ""}, GuideFiles{two, "", three}}) {
    REQUIRE(contains(error_of([&] { LineGuides{files}; }), "two: 2 lines, but 3 in"));
    REQUIRE(contains(error_of([&] { LineGuides{files}; }), "three; the two must pair"));
  }
  const LineGuides guides({two, "", ""});
  guides.require_lines("input", 2);
  REQUIRE(
      contains(error_of([&] { guides.require_lines("input", 5); }), "input: 5 lines, but 2 in"));
  LineGuides().require_lines("input", 5);
}

TEST_CASE("Guides of long files are found far on", "[translate]") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + "\n";
  const auto path = folder.write("prefixes", text);
  LineGuides guides({path, "", ""});
  REQUIRE(guides.slice(70000, 2).back().constraints.prefix == "70001");
  REQUIRE(guides.slice(99999, 1).back().constraints.prefix == "99999");
  LineGuides cut({path, "", ""});
  folder.write("prefixes", "0\n");
  REQUIRE(contains(error_of([&] { cut.slice(99990, 1); }), "shorter than when it was first read"));
}

}  // namespace nmt
