#include "text/contradicting_numbers.h"

#include <string>

#include "support/catch.h"

namespace nmt {

TEST_CASE("Numbers contradict each other only where both sides have them", "[text]") {
  REQUIRE(numbers_contradict("Er ist 31 Jahre alt.", "He is 32 years old."));
  REQUIRE(numbers_contradict("Zimmer 7", "room 9"));
  REQUIRE(numbers_contradict("Seit 1987 lebt sie hier.", "She has lived here since then."));
  REQUIRE(numbers_contradict("12.500 Euro", "12,400 euros"));
  for (const auto& [source, target] : std::vector<std::pair<std::string, std::string>>{
           {"um halb vier", "at 3:30"},
           {"um halb 8", "at 7:30"},
           {"um 14:30 Uhr", "at 2:30 p.m."},
           {"12.500 Euro", "12,500 euros"},
           {"12 500 euros", "12,500 euros"},
           {"am 3.10.1990", "on 10/03/1990"},
           {"drei Hunde und 4 Katzen", "3 dogs and 4 cats"},
           {"die 90er Jahre", "the 1990s"},
           {"3백만 달러", "$3 million"},
           {"der 3. Mann", "the 3rd man"},
           {"tausend Mal", "1000 times"},
           {"The war began in 2015.", "যুদ্ধ ২০১৫ সালে শুরু হয়।"},
           {"ohne Zahl", "no number"}}) {
    INFO(source << " | " << target);
    REQUIRE_FALSE(numbers_contradict(source, target));
    REQUIRE_FALSE(numbers_contradict(target, source));
  }
}

TEST_CASE("Of very many numbers only equal ones agree", "[text]") {
  const auto repeated = [](const std::string& number, int count) {
    std::string line;
    for (int i = 0; i < count; ++i) line += number + " ";
    return line;
  };
  REQUIRE_FALSE(numbers_contradict(repeated("2", 300), repeated("14", 300)));
  REQUIRE(numbers_contradict(repeated("2", 301), repeated("14", 301)));  // too many to compare
  REQUIRE_FALSE(numbers_contradict(repeated("2", 1000) + "7", "7 " + repeated("2", 1000)));
}

}  // namespace nmt
