#include "formats/n_best_list.h"

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {

TEST_CASE("An entry of an n-best list is read as it is written", "[formats]") {
  const std::string line = "12 ||| I read. ||| LM0= -30.5 nmt= -1.500000 -2 ||| -0.750000";
  auto entry = parse_n_best_entry(line);
  CHECK(entry.line == 12);
  CHECK(entry.text == "I read.");
  CHECK(entry.features == "LM0= -30.5 nmt= -1.500000 -2");
  CHECK(entry.score == -0.75);
  CHECK(format_n_best_entry(entry) == line + "\n");
  entry.add_feature("new", -2.0);
  CHECK(entry.features == "LM0= -30.5 nmt= -1.500000 -2 new= -2.000000");
  CHECK(contains(error_of([&] { entry.add_feature("nmt", 0.0); }), "a feature nmt already"));
  CHECK(contains(error_of([&] { entry.add_feature("LM0", 0.0); }), "a feature LM0 already"));
}

TEST_CASE("A translation may be empty or have bars in it, and features may lack", "[formats]") {
  CHECK(parse_n_best_entry("0 |||  ||| nmt= 0 ||| 0").text.empty());
  const auto entry = parse_n_best_entry("3 ||| a ||| b |||  ||| -1e-3");
  CHECK(entry.text == "a ||| b");
  CHECK(entry.features.empty());
  CHECK(entry.score == -0.001);
}

TEST_CASE("What is no entry is refused", "[formats]") {
  for (const std::string line : {"", "a", "0 ||| a ||| -1", "0 ||| a"}) {
    CHECK(contains(error_of([&] { parse_n_best_entry(line); }), "not LINE ||| TRANSLATION"));
  }
  CHECK(contains(error_of([] { parse_n_best_entry("x ||| a ||| ||| -1"); }), "a line number"));
  CHECK(contains(error_of([] { parse_n_best_entry("-1 ||| a ||| ||| -1"); }), "a line number"));
  CHECK(contains(error_of([] { parse_n_best_entry("0 ||| a ||| ||| 0-0"); }), "with a score"));
}

}  // namespace nmt
