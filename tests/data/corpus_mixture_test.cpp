#include "data/corpus_mixture.h"

#include <algorithm>
#include <vector>

#include "data/sample_corpus.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

std::vector<std::vector<int64_t>> counts_of(const CorpusMixture& mixture, int64_t epochs) {
  std::vector<std::vector<int64_t>> counts;
  for (const auto& corpus : mixture.corpora()) {
    counts.emplace_back(static_cast<size_t>(corpus.size()), 0);
  }
  for (int64_t epoch = 1; epoch <= epochs; ++epoch) {
    const EpochDraws draws(mixture, 3, epoch);
    for (int64_t i = 0; i < mixture.size(); ++i) {
      const auto drawn = draws[i];
      ++counts[drawn.corpus].at(static_cast<size_t>(drawn.pair));
    }
  }
  return counts;
}

int64_t sum(const std::vector<int64_t>& counts) {
  int64_t total = 0;
  for (const int64_t count : counts) total += count;
  return total;
}

bool differ_by_one_at_most(const std::vector<int64_t>& counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return *most - *least <= 1;
}

}  // namespace

TEST_CASE("Without weights every pair of all corpora comes once an epoch", "[data]") {
  const PreparedText one(301);
  const PreparedText two(70, 2);
  const CorpusMixture mixture({one.prepare(), two.prepare()});
  REQUIRE(mixture.size() == 371);
  for (const int64_t epochs : {1, 3}) {
    for (const auto& counts : counts_of(mixture, epochs)) {
      REQUIRE(std::all_of(counts.begin(), counts.end(), [&](int64_t n) { return n == epochs; }));
    }
  }
  REQUIRE(mixture.report().kept == 371);
  REQUIRE(mixture.report().lines == 371);
}

TEST_CASE("The target tokens of an epoch are those of its draws", "[data]") {
  const PreparedText one(301);
  const PreparedText two(70, 2);
  for (const auto& weights : {std::vector<double>{}, std::vector<double>{2, 1}}) {
    const CorpusMixture mixture({one.prepare(), two.prepare()}, weights);
    const EpochDraws draws(mixture, 3, 1);
    double tokens = 0;
    for (int64_t i = 0; i < mixture.size(); ++i) {
      const auto drawn = draws[i];
      tokens += static_cast<double>(mixture.corpora()[drawn.corpus].target(drawn.pair).size + 1);
    }
    INFO(weights.size() << " weights");
    CHECK(mixture.target_tokens() == Approx(tokens).epsilon(weights.empty() ? 1e-9 : 0.05));
  }
}

TEST_CASE("Weights say how much of an epoch a corpus is, whose pairs come evenly", "[data]") {
  const PreparedText one(300);
  const PreparedText two(50, 2);
  const PreparedText three(10, 3);
  const CorpusMixture mixture({one.prepare(), two.prepare(), three.prepare()}, {3, 2, 1});
  REQUIRE(mixture.size() == 360);
  REQUIRE(mixture.draws_from(0) == 180);
  REQUIRE(mixture.draws_from(1) == 120);
  REQUIRE(mixture.draws_from(2) == 60);
  for (const int64_t epochs : {1, 2, 5}) {
    const auto counts = counts_of(mixture, epochs);
    for (size_t c = 0; c < 3; ++c) {
      INFO("corpus " << c << ", epochs " << epochs);
      REQUIRE(sum(counts[c]) == epochs * mixture.draws_from(c));
      REQUIRE(differ_by_one_at_most(counts[c]));
    }
  }
}

TEST_CASE("Shares that are no whole numbers add up", "[data]") {
  const PreparedText text(101);
  const auto corpus = text.prepare();
  const CorpusMixture mixture({corpus, corpus, corpus}, {1, 1, 1e-9});
  REQUIRE(mixture.size() == 303);
  REQUIRE(mixture.draws_from(0) + mixture.draws_from(1) + mixture.draws_from(2) == 303);
  REQUIRE(mixture.draws_from(2) <= 1);
  REQUIRE(sum(counts_of(mixture, 1)[0]) == mixture.draws_from(0));
}

TEST_CASE("Draws are a function of seed, epoch and index, and well mixed", "[data]") {
  const PreparedText one(400);
  const PreparedText two(400, 2);
  const CorpusMixture mixture({one.prepare(), two.prepare()}, {1, 1});
  const auto order_of = [&](uint64_t seed, int64_t epoch) {
    const EpochDraws draws(mixture, seed, epoch);
    std::vector<int64_t> order;
    for (int64_t i = 0; i < mixture.size(); ++i) {
      order.push_back(static_cast<int64_t>(draws[i].corpus) * 1000 + draws[i].pair);
    }
    return order;
  };
  REQUIRE(order_of(5, 1) == order_of(5, 1));
  REQUIRE(order_of(5, 1) != order_of(5, 2));
  REQUIRE(order_of(5, 1) != order_of(6, 1));
  const auto order = order_of(5, 1);
  const auto of_first =
      std::count_if(order.begin(), order.begin() + 400, [](int64_t pair) { return pair < 1000; });
  REQUIRE(of_first > 150);
  REQUIRE(of_first < 250);
}

TEST_CASE("A temperature brings the shares of corpora closer", "[data]") {
  const PreparedText one(400);
  const PreparedText two(100, 2);
  const PreparedText three(25, 3);
  const std::vector<ParallelCorpus> corpora = {one.prepare(), two.prepare(), three.prepare()};
  const auto shares = [&](double temperature) {
    const CorpusMixture mixture(corpora, temperature_weights(corpora, temperature));
    REQUIRE(mixture.size() == 525);
    return std::vector<int64_t>{mixture.draws_from(0), mixture.draws_from(1),
                                mixture.draws_from(2)};
  };
  REQUIRE(shares(1) == std::vector<int64_t>{400, 100, 25});
  REQUIRE(shares(2) == std::vector<int64_t>{300, 150, 75});  // √400 : √100 : √25 = 4 : 2 : 1
  REQUIRE(shares(1e9) == std::vector<int64_t>{175, 175, 175});
}

}  // namespace nmt
