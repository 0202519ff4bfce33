#include "metrics/bleu.h"

#include <cmath>

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

// Shared n-grams: 5 of 6 words, 3 of 5 pairs, 1 of 4 triples, none of 3 quadruples.
const std::vector<std::string> kHypothesis = {"the cat sat on the mat"};
const std::vector<std::string> kReference = {"the cat is on the mat"};

double with_smoothing(BleuSmoothing smoothing) {
  BleuOptions options;
  options.smoothing = smoothing;
  return corpus_bleu(kHypothesis, kReference, options).score;
}

// The geometric mean of four precisions, in percent.
auto mean_of(double p1, double p2, double p3, double p4) {
  return Approx(100 * std::pow(p1 * p2 * p3 * p4, 0.25));
}

}  // namespace

TEST_CASE("BLEU of a worked example agrees under every smoothing", "[evaluate][bleu]") {
  CHECK(with_smoothing(BleuSmoothing::kExp) == mean_of(5 / 6., 3 / 5., 1 / 4., 1 / (2 * 3.)));
  CHECK(with_smoothing(BleuSmoothing::kFloor) == mean_of(5 / 6., 3 / 5., 1 / 4., 0.1 / 3));
  CHECK(with_smoothing(BleuSmoothing::kAddK) == mean_of(5 / 6., 4 / 6., 2 / 5., 1 / 4.));
  CHECK(with_smoothing(BleuSmoothing::kNone) == 0.0);
}

TEST_CASE("Exponential smoothing halves again for each order without a match", "[evaluate][bleu]") {
  const auto bleu = corpus_bleu({"a b x c d"}, {"a b y c d"});
  CHECK(bleu.precisions[1] == Approx(100 * 2 / 4.));
  CHECK(bleu.precisions[2] == Approx(100 / (2 * 3.)));
  CHECK(bleu.precisions[3] == Approx(100 / (4 * 2.)));
}

TEST_CASE("A reference word can be matched only as often as it occurs", "[evaluate][bleu]") {
  // Papineni et al. 2002, example 2.
  const auto bleu = corpus_bleu({"the the the the the the the"}, {"the cat is on the mat"});
  CHECK(bleu.precisions[0] == Approx(100 * 2 / 7.));
}

TEST_CASE("A corpus shorter than its references is penalised, a longer one is not",
          "[evaluate][bleu]") {
  const auto shorter = corpus_bleu({"a b c d e"}, {"a b c d e f g"});
  CHECK(shorter.brevity_penalty == Approx(std::exp(1 - 7 / 5.)));
  CHECK(shorter.score == Approx(100 * std::exp(1 - 7 / 5.)));
  CHECK(shorter.hypothesis_length == 5);
  CHECK(shorter.reference_length == 7);
  CHECK(corpus_bleu({"a b c d e f g"}, {"a b c d e"}).brevity_penalty == 1.0);
}

TEST_CASE("An empty hypothesis line counts through the length of its reference",
          "[evaluate][bleu]") {
  const auto bleu = corpus_bleu({"", "a b c d e"}, {"x y", "a b c d e"});
  CHECK(bleu.precisions[3] == Approx(100));
  CHECK(bleu.score == Approx(100 * std::exp(1 - 7 / 5.)));
  const auto nothing = corpus_bleu({"", " "}, {"x y", "z"});
  CHECK(nothing.score == 0.0);
  CHECK(nothing.brevity_penalty == 0.0);
  CHECK(corpus_bleu({""}, {""}).score == 0.0);
}

TEST_CASE("Case counts unless it is ignored", "[evaluate][bleu]") {
  BleuOptions options;
  CHECK(corpus_bleu({"Ein Hund läuft ÜBER Gras"}, {"ein hund läuft über gras"}).score < 50);
  options.lowercase = true;
  CHECK(corpus_bleu({"Ein Hund läuft ÜBER Gras"}, {"ein hund läuft über gras"}, options).score ==
        Approx(100));
}

TEST_CASE("A sentence is judged by the orders that it has", "[evaluate][bleu]") {
  CHECK(sentence_bleu("a b", "a b").score == Approx(100));
  CHECK(corpus_bleu({"a b"}, {"a b"}).score == 0.0);
  CHECK(sentence_bleu("a b c", "a b d").score == Approx(100 * std::cbrt(2 / 3. * 1 / 2. * 1 / 2.)));
  CHECK(sentence_bleu("", "a").score == 0.0);
}

TEST_CASE("BLEU refuses files that do not pair", "[evaluate][bleu]") {
  const auto message = error_of([] { corpus_bleu({"a", "b", "c"}, {"a", "b"}); });
  CHECK(contains(message, "3 hypotheses and 2 references"));
  CHECK(contains(error_of([] { corpus_bleu({}, {}); }), "nothing to evaluate"));
}

TEST_CASE("BLEU's signature names every choice as sacreBLEU does", "[evaluate][bleu]") {
  BleuOptions options;
  CHECK(bleu_signature(options) == "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
  options.tokenizer = BleuTokenizer::kIntl;
  options.lowercase = true;
  options.effective_order = true;
  options.smoothing = BleuSmoothing::kFloor;
  CHECK(bleu_signature(options) ==
        "nrefs:1|case:lc|eff:yes|tok:intl|smooth:floor[0.10]|version:2.6.0");
}

TEST_CASE("The words that BLEU counts suit the text of all references", "[evaluate][bleu]") {
  const auto tokenizer_for = [](const References& references) {
    return bleu_options_for(references).tokenizer;
  };
  CHECK(tokenizer_for({"the cat sat", "Wir schaffen das.", "책을 읽어요"}) == BleuTokenizer::k13a);
  CHECK(tokenizer_for(std::vector<std::string>()) == BleuTokenizer::k13a);
  CHECK(tokenizer_for({"他有三本书。", "", "OK"}) == BleuTokenizer::kZh);
  CHECK(tokenizer_for({"私は本を読みます。"}) == BleuTokenizer::kChar);
  CHECK(tokenizer_for({"ฉันอ่านหนังสือ"}) == BleuTokenizer::kChar);
  // zh has the words of 13a beside Chinese; char has none.
  CHECK(tokenizer_for({"他有三本书。", "There are three books on the table."}) ==
        BleuTokenizer::kZh);
  CHECK(tokenizer_for({"ฉันอ่านหนังสือ", "There are three books on the table."}) ==
        BleuTokenizer::k13a);
  std::vector<std::string> with_one(20, "There are three books on the table.");
  with_one.front() = "他有三本书。";
  CHECK(tokenizer_for(with_one) == BleuTokenizer::k13a);
  const std::vector<std::vector<std::string>> files = {{"", "OK"}, {"他有三本书。", "好的。"}};
  CHECK(tokenizer_for(References(files)) == BleuTokenizer::kZh);

  const std::vector<std::string> chinese = {"你好，世界！", "他有三本书。"};
  CHECK(corpus_bleu(chinese, chinese).score == 0.0);
  CHECK(corpus_bleu(chinese, chinese, bleu_options_for(chinese)).score == Approx(100));
  // 5 of 6 characters, 3 of 5 pairs, 1 of 4 triples, none of 3 quadruples
  CHECK(sentence_gleu("他有两本书。", "他有三本书。") == Approx(9.0 / 18.0));
}

}  // namespace nmt
