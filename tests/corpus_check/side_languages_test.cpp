#include "corpus_check/side_languages.h"

#include "corpus_check/made_up_pairs.h"
#include "files/line_reader.h"
#include "support/catch.h"

namespace nmt {
namespace {

/// The first pairs of the sample corpus.
std::vector<SampledPair> sample_pairs() {
  const auto corpus = std::string(NMT_SOURCE_DIR) + "/data/sample/train";
  LineReader sources(corpus + ".ko");
  LineReader targets(corpus + ".en");
  std::vector<SampledPair> pairs(1000);
  for (auto& pair : pairs) {
    REQUIRE(sources.next(pair.source));
    REQUIRE(targets.next(pair.target));
    pair.line = sources.line_number();
  }
  return pairs;
}

}  // namespace

TEST_CASE("Rare sentences of a language written in syllables are no third language",
          "[corpus_check]") {
  const auto pairs = sample_pairs();
  SideLanguages languages(pairs);
  REQUIRE(languages.distinct());
  for (const auto& pair : pairs) {
    INFO(pair.source);
    const auto verdict = languages.judge(pair.line, pair.source, pair.target);
    REQUIRE_FALSE(verdict.foreign);
    REQUIRE_FALSE(verdict.swapped);
  }
}

TEST_CASE("A third language is found opposite a language written in syllables", "[corpus_check]") {
  auto pairs = sample_pairs();
  const auto others = made_up_pairs(25);
  for (size_t i = 0; i < 25; ++i) pairs[40 * i].target = others[i].french;
  SideLanguages languages(pairs);
  size_t found = 0;
  size_t wrong = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const bool foreign = languages.judge(pairs[i].line, pairs[i].source, pairs[i].target).foreign;
    (i % 40 == 0 ? found : wrong) += foreign ? 1 : 0;
  }
  CHECK(found >= 20);
  CHECK(wrong <= 3);
}

}  // namespace nmt
