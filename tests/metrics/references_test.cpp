#include "metrics/references.h"

#include <cmath>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

using Files = std::vector<std::vector<std::string>>;

double chrf_of_pair(const std::string& hypothesis, const std::string& reference) {
  return corpus_chrf({hypothesis}, {reference});
}

}  // namespace

TEST_CASE("BLEU clips at the reference that has an n-gram most often", "[evaluate][references]") {
  // Papineni et al. 2002, example 2: 2 and 1 times "the".
  const auto bleu =
      corpus_bleu({"the the the the the the the"},
                  References(Files{{"the cat is on the mat"}, {"there is a cat on the mat"}}));
  CHECK(bleu.precisions[0] == Approx(100 * 2 / 7.));
  CHECK(bleu.reference_length == 7);
  // "a b" is in one reference, "c d" in the other, "b c" in neither.
  const auto both = corpus_bleu({"a b c d"}, References(Files{{"a b x y"}, {"z c d w"}}));
  CHECK(both.precisions[0] == Approx(100));
  CHECK(both.precisions[1] == Approx(100 * 2 / 3.));
}

TEST_CASE("BLEU takes the length of the closest reference, of two the shorter",
          "[evaluate][references]") {
  const References references(Files{{"a b c d e f"}, {"a b c d"}, {"a"}});
  CHECK(corpus_bleu({"a b c d e"}, references).reference_length == 4);
  CHECK(corpus_bleu({"a b c d e f g"}, references).reference_length == 6);
  CHECK(corpus_bleu({"a b"}, references).reference_length == 1);
}

TEST_CASE("chrF takes the best reference of each line", "[evaluate][references]") {
  CHECK(corpus_chrf({"abc"}, References(Files{{"xyz"}, {"abd"}})) ==
        Approx(chrf_of_pair("abc", "abd")));
  const References references(Files{{"abc", "no"}, {"no", "dex"}});
  CHECK(corpus_chrf({"abc", "def"}, references) ==
        Approx(corpus_chrf({"abc", "def"}, {"abc", "dex"})));
}

TEST_CASE("TER divides the fewest edits by the mean length of the references",
          "[evaluate][references]") {
  // One edit from three words, four from seven.
  const References references(Files{{"a b d"}, {"a b c d e f g"}});
  CHECK(corpus_ter({"a b c"}, references) == Approx(100 * 1 / 5.));
  CHECK(corpus_ter({"a b c"}, References(Files{{"a b d"}, {"a b d e"}})) == Approx(100 * 1 / 3.5));
}

TEST_CASE("BLEU of a worked example with two references", "[evaluate][references]") {
  // All words, pairs and triples are in one reference or the other; the quadruple is in neither.
  const References references(Files{{"a b c e"}, {"x b c d"}});
  CHECK(corpus_bleu({"a b c d"}, references).score == Approx(100 * std::pow(1 / 2., 0.25)));
  CHECK(bleu_signature({}, references.count()).rfind("nrefs:2|case:mixed|eff:no|", 0) == 0);
}

TEST_CASE("An empty line of a file is no reference", "[evaluate][references]") {
  const References references(Files{{"a", "b", ""}, {"c", "", ""}});
  CHECK(references.of(0) == std::vector<std::string>{"a", "c"});
  CHECK(references.of(1) == std::vector<std::string>{"b"});
  CHECK(references.of(2) == std::vector<std::string>{""});
  CHECK(references.count() == "var");
  CHECK(References(Files{{"", "a"}, {"", "b"}}).count() == "2");  // lines that are scored
  CHECK(References{"a", "b"}.count() == "1");
  CHECK(contains(error_of([] { References(Files{{"a", "b"}, {"c"}}); }), "2 and 1 lines"));
}

}  // namespace nmt
