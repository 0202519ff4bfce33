#include "metrics/chrf.h"

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

double chrf(const std::string& hypothesis, const std::string& reference, int64_t word_order = 0) {
  ChrfOptions options;
  options.word_order = word_order;
  return corpus_chrf({hypothesis}, {reference}, options);
}

}  // namespace

TEST_CASE("chrF averages precision and recall over the orders that both sides have",
          "[evaluate][chrf]") {
  CHECK(chrf("abc", "abd") == Approx(100 * (2 / 3. + 1 / 2. + 0) / 3));
  // Precision 1, recall (2/4 + 1/3) / 2 = 5/12: F2 = 5 · 5/12 / (4 + 5/12) = 25/53.
  CHECK(chrf("ab", "abcd") == Approx(100 * 25 / 53.));
  // The other way round recall is 1, which F2 favors: 5 · 5/12 / (4 · 5/12 + 1) = 25/32.
  CHECK(chrf("abcd", "ab") == Approx(100 * 25 / 32.));
}

TEST_CASE("chrF counts characters, not bytes, and no white space", "[evaluate][chrf]") {
  CHECK(chrf("안녕요", "안녕히") == Approx(chrf("abc", "abd")));
  CHECK(chrf("a b\u3000c", "abc") == Approx(100));
}

TEST_CASE("chrF++ adds words, with a mark at their end or start apart", "[evaluate][chrf]") {
  CHECK(chrf("a b", "a c", 2) == Approx(100 * (1 / 2. + 0 + 1 / 2. + 0) / 4));
  CHECK(chrf("(hi there!", "( hi there !", 2) == Approx(100));
  // One mark a word, at its end first: "(hi)" is the words "(hi" and ")", so that of ( hi ) only
  // ")" matches: characters 1, 1, 1, 1, words 1/2 and 0 of precision, 1/3 and 0 of recall.
  const double precision = (4 + 1 / 2. + 0) / 6;
  const double recall = (4 + 1 / 3. + 0) / 6;
  CHECK(chrf("(hi)", "( hi )", 2) ==
        Approx(100 * 5 * precision * recall / (4 * precision + recall)));
}

TEST_CASE("chrF minds case unless told not to", "[evaluate][chrf]") {
  ChrfOptions options;
  CHECK(corpus_chrf({"HUND"}, {"hund"}, options) == 0.0);
  options.lowercase = true;
  CHECK(corpus_chrf({"HUND"}, {"hund"}, options) == Approx(100));
}

TEST_CASE("chrF of nothing is 0", "[evaluate][chrf]") {
  CHECK(chrf("", "abc") == 0.0);
  CHECK(chrf("abc", "") == 0.0);
  CHECK(chrf("", "") == 0.0);
}

TEST_CASE("chrF refuses files that do not pair", "[evaluate][chrf]") {
  CHECK(contains(error_of([] {
                   corpus_chrf({"a"}, {"a", "b"});
                 }),
                 "1 hypotheses and 2 references"));
}

TEST_CASE("chrF's signature names every choice as sacreBLEU does", "[evaluate][chrf]") {
  ChrfOptions options;
  CHECK(chrf_signature(options) == "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0");
  options.word_order = 2;
  options.lowercase = true;
  CHECK(chrf_signature(options) == "nrefs:1|case:lc|eff:yes|nc:6|nw:2|space:no|version:2.6.0");
}

}  // namespace nmt
