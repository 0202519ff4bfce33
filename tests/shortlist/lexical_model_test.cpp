#include "shortlist/lexical_model.h"

#include <utility>
#include <vector>

#include "support/catch.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

using Sentence = std::vector<int32_t>;

PairWalk walk(std::vector<std::pair<Sentence, Sentence>> pairs) {
  return [pairs = std::move(pairs)](const auto& use) {
    for (const auto& [source, target] : pairs) {
      use({source.data(), source.size()}, {target.data(), target.size()});
    }
  };
}

constexpr int32_t kA = 4;
constexpr int32_t kB = 5;
constexpr int32_t kX = 6;
constexpr int32_t kY = 7;

}  // namespace

TEST_CASE("Model 1 has the probabilities worked out by hand", "[shortlist]") {
  // a | x and a b | x y, each with an empty word. From uniform probabilities the expected counts of
  // a, and of the empty word, are 1/2 + 1/3 of x and 1/3 of y; of b 1/3 each.
  const auto pairs = walk({{{kA}, {kX}}, {{kA, kB}, {kX, kY}}});
  const LexicalModel once(pairs, 1);
  for (const int32_t source : {kPadId, kA}) {
    CHECK(once.probability(source, kX) == Approx(5.0 / 7));
    CHECK(once.probability(source, kY) == Approx(2.0 / 7));
  }
  CHECK(once.probability(kB, kY) == Approx(1.0 / 2));
  // Then x of the second pair is shared 10 : 10 : 7, and y 4 : 4 : 7.
  const LexicalModel twice(pairs, 2);
  CHECK(twice.probability(kA, kX) == Approx(235.0 / 307));
  CHECK(twice.probability(kB, kX) == Approx(5.0 / 14));
  CHECK(twice.probability(kB, kY) == Approx(9.0 / 14));
  CHECK(twice.probability(kX, kY) == 0.0);
  CHECK(twice.best(kB, 5) == Sentence{kY, kX});
  CHECK(twice.best(kA, 1) == Sentence{kX});
  CHECK(twice.best(99, 1).empty());
}

TEST_CASE("Too many links leave those that occur most often", "[shortlist]") {
  std::vector<std::pair<Sentence, Sentence>> pairs(5, {{kA}, {kX}});
  pairs.push_back({{kB}, {kY}});
  const LexicalModel model(walk(pairs), 3, 3);
  CHECK(model.probability(kA, kX) == Approx(1.0));
  CHECK(model.probability(kB, kY) == 0.0);
  CHECK(model.best(kB, 1).empty());
}

}  // namespace nmt
