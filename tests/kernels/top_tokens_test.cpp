#include "kernels/top_tokens.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.h"

namespace nmt {

TEST_CASE("The best tokens of a row and the softmax's denominator", "[kernels]") {
  std::mt19937 random(4);
  for (const int64_t size : {1, 3, 16, 37, 5000}) {
    for (const int64_t count : {1, 4, 13}) {
      INFO(size << " tokens, the best " << count);
      std::vector<float> logits(static_cast<size_t>(size)), bias(logits.size());
      for (auto& value : logits) value = std::normal_distribution<float>(0, 5)(random);
      for (auto& value : bias) value = std::normal_distribution<float>(0, 1)(random);
      std::vector<TokenLogit> expected;
      double sum = 0;
      for (size_t i = 0; i < logits.size(); ++i) {
        expected.push_back({static_cast<int32_t>(i), logits[i] + bias[i]});
        sum += std::exp(double{expected.back().logit});
      }
      std::stable_sort(expected.begin(), expected.end(),
                       [](const auto& a, const auto& b) { return a.logit > b.logit; });
      TopTokens top;
      top.best = {{7, 7.0F}};
      top.clear();
      // In blocks of unequal sizes.
      for (int64_t first = 0; first < size; first += 33) {
        const int64_t block = std::min<int64_t>(33, size - first);
        add_to_top(logits.data() + first, bias.data() + first, block, static_cast<int32_t>(first),
                   count, top);
      }
      REQUIRE(top.log_denominator() == Approx(std::log(sum)).margin(1e-4));
      REQUIRE(top.best.size() == static_cast<size_t>(std::min(count, size)));
      for (size_t i = 0; i < top.best.size(); ++i) {
        REQUIRE(top.best[i].token == expected[i].token);
        REQUIRE(top.best[i].logit == expected[i].logit);
      }
    }
  }
}

TEST_CASE("A first block of excluded tokens leaves the denominator finite", "[kernels]") {
  std::vector<float> logits(20, -std::numeric_limits<float>::infinity());
  std::vector<float> more(20, 1.0F);
  const std::vector<float> bias(20, 0.0F);
  TopTokens top;
  add_to_top(logits.data(), bias.data(), 20, 0, 3, top);
  add_to_top(more.data(), bias.data(), 20, 20, 3, top);
  REQUIRE(top.log_denominator() == Approx(1.0 + std::log(20.0)));
  REQUIRE(top.best.front().token == 20);
}

TEST_CASE("Equal tokens come in the order of the vocabulary", "[kernels]") {
  std::vector<float> logits(40, 1.0F);
  const std::vector<float> bias(40, 0.0F);
  TopTokens top;
  add_to_top(logits.data(), bias.data(), 20, 0, 3, top);
  add_to_top(logits.data() + 20, bias.data() + 20, 20, 20, 3, top);
  REQUIRE(top.best[0].token == 0);
  REQUIRE(top.best[1].token == 1);
  REQUIRE(top.best[2].token == 2);
}

}  // namespace nmt
