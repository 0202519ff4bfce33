#include "corpus_check/side_languages.h"

#include "files/line_reader.h"
#include "support/catch.h"

namespace nmt {

TEST_CASE("Rare sentences of a language written in syllables are no third language",
          "[corpus_check]") {
  const auto corpus = std::string(NMT_SOURCE_DIR) + "/data/sample/train";
  LineReader sources(corpus + ".ko");
  LineReader targets(corpus + ".en");
  std::vector<SampledPair> pairs(1000);
  for (auto& pair : pairs) {
    REQUIRE(sources.next(pair.source));
    REQUIRE(targets.next(pair.target));
    pair.line = sources.line_number();
  }
  SideLanguages languages(pairs);
  REQUIRE(languages.distinct());
  for (const auto& pair : pairs) {
    INFO(pair.source);
    const auto verdict = languages.judge(pair.line, pair.source, pair.target);
    REQUIRE_FALSE(verdict.foreign);
    REQUIRE_FALSE(verdict.swapped);
  }
}

}  // namespace nmt
