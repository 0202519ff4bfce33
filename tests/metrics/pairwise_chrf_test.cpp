#include "metrics/pairwise_chrf.h"

#include "metrics/chrf.h"
#include "support/catch.h"

namespace nmt {

TEST_CASE("Pairwise chrF2 is that of each pair", "[evaluate][chrf]") {
  const std::vector<std::string> texts = {
      "ab", "abcd", "the cat sat on the mat", "the mat sat.", "aaaaaa", "", "저는 책을 읽어요."};
  const auto scores = pairwise_chrf(texts);
  CHECK(scores[0][1] == Approx(100 * 25 / 53.));
  CHECK(scores[1][0] == Approx(100 * 25 / 32.));
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t j = 0; j < texts.size(); ++j) {
      CHECK(scores[i][j] == Approx(corpus_chrf({texts[i]}, {texts[j]})));
    }
  }
  CHECK(pairwise_chrf({}).empty());
}

}  // namespace nmt
