#include "explain/explanation.h"

#include <cstdlib>
#include <limits>

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {

TEST_CASE("The language is what is asked for, else the environment's, else English", "[explain]") {
  CHECK(parse_language("en") == Language::kEnglish);
  CHECK(parse_language("ko") == Language::kKorean);
  CHECK(contains(error_of([] { parse_language("kr"); }), "--language kr: unknown; use en or ko"));
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) ::unsetenv(name);
  CHECK(parse_language("") == Language::kEnglish);
  ::setenv("LANG", "ko_KR.UTF-8", 1);
  CHECK(parse_language("") == Language::kKorean);
  ::setenv("LC_ALL", "C.UTF-8", 1);
  CHECK(parse_language("") == Language::kEnglish);
  ::setenv("LC_ALL", "", 1);
  CHECK(parse_language("") == Language::kKorean);
  CHECK(parse_language("en") == Language::kEnglish);
}

TEST_CASE("A look-up has the largest shares first and leaves out what is none", "[explain]") {
  const auto found = lookups({{0.2, 0.001, 0.799}, {0, 1, 0}}, {"a", "b"}, {"x", "y", "z"});
  REQUIRE(found.size() == 2);
  REQUIRE(found[0].shares.size() == 2);
  CHECK(found[0].shares[0].word == "z");
  CHECK(found[0].shares[1].word == "x");
  REQUIRE(found[1].shares.size() == 1);
  CHECK(found[1].shares[0].word == "y");
  CHECK(share_text(found[0].shares[0].weight) == "80 %");
}

TEST_CASE("Numbers have no more digits than they need", "[explain]") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(is_whole({{1, -2}, {-kInfinity, 0}}));
  CHECK_FALSE(is_whole({{1, 0.5}}));
  CHECK(figure_text(-12, true) == "-12");
  CHECK(figure_text(2, false) == "2.00");
  CHECK(figure_text(-0.001, false) == "0.00");
  CHECK(figure_text(-kInfinity, false) == "-∞");
}

}  // namespace nmt
