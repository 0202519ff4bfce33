#include "alignment/gold_alignment.h"

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {

TEST_CASE("A gold alignment has sure and possible links", "[alignment]") {
  const auto gold = parse_gold_alignment(" 0-0  1p2 10-3 ", 11, 4);
  CHECK(gold.sure == LinkSet{{0, 0}, {10, 3}});
  CHECK(gold.possible == LinkSet{{0, 0}, {1, 2}, {10, 3}});
  CHECK(parse_gold_alignment("", 0, 0).possible.empty());
}

TEST_CASE("What is no link, or outside the pair, is refused", "[alignment]") {
  for (const std::string text : {"0", "0-", "-1", "0-1x", "0?1", "a-b", "0--1", "-1-0", "0-1-2"}) {
    INFO(text);
    CHECK(
        contains(error_of([&] { parse_gold_alignment(text, 9, 9); }), "'" + text + "' is no link"));
  }
  CHECK(contains(error_of([] { parse_gold_alignment("0-0 2-1", 2, 2); }),
                 "link 2-1 is outside the pair, which has 2 and 2 words"));
  CHECK(contains(error_of([] { parse_gold_alignment("0p2", 2, 2); }), "outside"));
}

TEST_CASE("The error rate is that of Och and Ney", "[alignment]") {
  AlignmentErrors errors;
  // Three links: 0-0 is sure, 1-1 possible, 2-0 wrong; the sure link 2-2 is missing.
  errors.add({{0, 0}, {1, 1}, {2, 0}}, parse_gold_alignment("0-0 1p1 2-2", 3, 3));
  CHECK(errors.precision() == Approx(2 / 3.));
  CHECK(errors.recall() == Approx(1 / 2.));
  CHECK(errors.error_rate() == Approx(1 - (1 + 2) / (3 + 2.)));
  // Counts add up over pairs: one more link, sure and found.
  errors.add({{0, 0}}, parse_gold_alignment("0-0", 1, 1));
  CHECK(errors.error_rate() == Approx(1 - (2 + 3) / (4 + 3.)));
  CHECK(AlignmentErrors().error_rate() == 0.0);
}

}  // namespace nmt
