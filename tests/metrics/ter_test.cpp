#include "metrics/ter.h"

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

double ter(const std::string& hypothesis, const std::string& reference) {
  return corpus_ter({hypothesis}, {reference});
}

std::string numbered_words(const std::string& stem, int count) {
  std::string words;
  for (int i = 0; i < count; ++i) words += stem + std::to_string(i) + " ";
  return words;
}

}  // namespace

TEST_CASE("TER counts substitutions, insertions and deletions over the reference's words",
          "[evaluate][ter]") {
  CHECK(ter("a b c d", "a b c d") == 0.0);
  CHECK(ter("a x c d", "a b c d") == Approx(25));
  CHECK(ter("a c d", "a b c d") == Approx(25));
  CHECK(ter("a b b c d", "a b c d") == Approx(25));
  CHECK(ter("x y z", "a") == Approx(300));
}

TEST_CASE("Moving a block of words is one edit", "[evaluate][ter]") {
  CHECK(ter("b c d e a", "a b c d e") == Approx(100 / 5.));
  CHECK(ter("d e a b c", "a b c d e") == Approx(100 / 5.));
  // One move and one substitution.
  CHECK(ter("d e a x c", "a b c d e") == Approx(100 * 2 / 5.));
}

TEST_CASE("A block of more than ten words moves in parts", "[evaluate][ter]") {
  const auto swapped = [](int size) {
    const auto front = numbered_words("a", size);
    const auto back = numbered_words("b", size);
    return ter(back + front, front + back);
  };
  CHECK(swapped(10) == Approx(100 * 1 / 20.));
  CHECK(swapped(11) == Approx(100 * 2 / 22.));
}

TEST_CASE("TER ignores case unless told not to", "[evaluate][ter]") {
  TerOptions options;
  CHECK(corpus_ter({"Der Hund"}, {"der hund"}, options) == 0.0);
  options.case_sensitive = true;
  CHECK(corpus_ter({"Der Hund"}, {"der hund"}, options) == Approx(100));
}

TEST_CASE("TER of empty lines counts the words of the other side", "[evaluate][ter]") {
  CHECK(ter("", "a b") == Approx(100));
  CHECK(ter("a", "") == Approx(100));
  CHECK(ter("", "") == 0.0);
  CHECK(corpus_ter({"a", "x y"}, {"", "x z"}) == Approx(100 * 2 / 2.));
}

// sacreBLEU's beam: row i of m looks only around column i * n / m, half n / m + 25 to either side.
// Of one word against 211 it explores columns 80 to 211, so the match at the front is missed.
TEST_CASE("TER of lines of very different lengths explores sacreBLEU's beam", "[evaluate][ter]") {
  const auto long_line = numbered_words("w", 211);
  CHECK(ter("w210", long_line) == Approx(100 * 210 / 211.));
  CHECK(ter("w0", long_line) == Approx(100));
  CHECK(ter("w69 w130 w200", long_line) == Approx(100 * 208 / 211.));
  CHECK(ter("w0 w1 w2", long_line) == Approx(100));
  CHECK(ter(long_line, "w0") == Approx(100 * 210.));
}

TEST_CASE("TER refuses files that do not pair", "[evaluate][ter]") {
  CHECK(contains(error_of([] { corpus_ter({"a", "b"}, {"a"}); }), "2 hypotheses and 1 references"));
}

TEST_CASE("TER's signature names every choice as sacreBLEU does", "[evaluate][ter]") {
  CHECK(ter_signature(TerOptions{}) ==
        "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0");
}

}  // namespace nmt
