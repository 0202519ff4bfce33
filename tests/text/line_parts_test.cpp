#include "text/line_parts.h"

#include <string>

#include "support/catch.h"

namespace nmt {

using Parts = std::vector<std::string_view>;

TEST_CASE("A line that is short enough stays whole", "[text]") {
  REQUIRE(split_line("", 4) == Parts{""});
  REQUIRE(split_line("a b ", 4) == Parts{"a b "});
}

TEST_CASE("A long line is cut at spaces, else between characters", "[text]") {
  REQUIRE(split_line("ab cd ef", 5) == Parts{"ab cd", "ef"});
  REQUIRE(split_line("abcdefg", 3) == Parts{"abc", "def", "g"});
  REQUIRE(split_line("가나다", 4) == Parts{"가", "나", "다"});
  REQUIRE(split_line("   ", 2) == Parts{"  ", ""});
}

TEST_CASE("Bytes that are no characters are cut anywhere", "[text]") {
  const std::string bytes(10, '\x80');
  size_t size = 0;
  for (const auto part : split_line(bytes, 4)) size += part.size();
  REQUIRE(size == bytes.size());
}

}  // namespace nmt
