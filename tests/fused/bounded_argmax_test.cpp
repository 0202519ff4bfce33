#include "fused/bounded_argmax.h"

#include <hwy/targets.h>

#include <limits>
#include <random>
#include <vector>

#include "support/catch.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

std::vector<float> normal_values(int64_t count, float deviation, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<size_t>(count));
  for (auto& value : values) value = std::normal_distribution<float>(0, deviation)(random);
  return values;
}

struct Layer {
  int64_t vocabulary;
  int64_t width;
  std::vector<float> values;
  std::vector<float> bias;

  Layer(int64_t tokens, int64_t inputs, unsigned seed)
      : vocabulary(tokens),
        width(inputs),
        values(normal_values(tokens * inputs, 0.2F, seed)),
        bias(normal_values(tokens, 0.1F, seed + 1)) {}

  ConstMatrix weight() const { return {values.data(), vocabulary, width}; }

  double logit(const float* x, int64_t token) const {
    double sum = bias[static_cast<size_t>(token)];
    for (int64_t i = 0; i < width; ++i) sum += double{weight().row(token)[i]} * double{x[i]};
    return sum;
  }

  int32_t likeliest(const float* x) const {
    int32_t best = 0;
    for (int32_t token = 1; token < vocabulary; ++token) {
      if (logit(x, token) > logit(x, best)) best = token;
    }
    return best;
  }

  /// Of eight rows, which products like.
  void require_found(const std::vector<float>& x) const {
    const BoundedArgmax argmax(weight());
    BoundedArgmax::Workspace workspace;
    std::vector<TokenLogit> best(5);
    argmax.find({x.data(), 8, width}, bias.data(), workspace, best);
    for (size_t i = 0; i < best.size(); ++i) {
      const float* row = x.data() + static_cast<int64_t>(i) * width;
      REQUIRE(best[i].token == likeliest(row));
      REQUIRE(best[i].logit == Approx(logit(row, best[i].token)).margin(1e-5));
      // The bounds hold for every token, not for the likeliest alone.
      for (const auto& [token, most] : workspace.possible[i].tokens)
        REQUIRE(most >= logit(row, token));
    }
  }
};

}  // namespace

TEST_CASE("The bounded argmax finds the token with the largest logit of all", "[fused]") {
  for (const auto& [vocabulary, width] : {std::pair<int64_t, int64_t>{2500, 70}, {37, 8}, {5, 3}}) {
    for (const unsigned seed : {1U, 2U, 3U}) {
      INFO(vocabulary << " tokens, " << width << " wide, seed " << seed);
      Layer(vocabulary, width, seed).require_found(normal_values(8 * width, 0.5F, seed + 10));
    }
  }
}

TEST_CASE("Tokens that 8 bits cannot tell apart are told apart", "[fused]") {
  // Every row is nearly the same: the differences are a thousandth of what a byte can hold, and one
  // large number takes all of the bytes' range.
  Layer layer(300, 40, 5);
  const auto differences = normal_values(300 * 40, 1e-5F, 6);
  for (int64_t token = 0; token < 300; ++token) {
    for (int64_t i = 0; i < 40; ++i) {
      const auto place = static_cast<size_t>(token * 40 + i);
      layer.values[place] = (i == 7 ? 3.0F : 0.01F) + differences[place];
    }
    layer.bias[static_cast<size_t>(token)] = 0.0F;
  }
  layer.require_found(normal_values(8 * 40, 0.5F, 7));
}

TEST_CASE("The bounded argmax never finds a token that is shut out", "[fused]") {
  Layer layer(400, 30, 8);
  const auto x = normal_values(8 * 30, 0.5F, 9);
  for (int round = 0; round < 5; ++round) {
    for (size_t row = 0; row < 5; ++row) {
      const auto best = layer.likeliest(x.data() + row * 30);
      layer.bias[static_cast<size_t>(best)] = kNever;
    }
    layer.require_found(x);
  }
}

TEST_CASE("Of equal logits the bounded argmax takes the first, and none is no trouble", "[fused]") {
  Layer layer(50, 4, 1);
  const std::vector<float> x(8 * 4, 0.0F);
  layer.bias.assign(50, 1.0F);
  layer.require_found(x);
  const BoundedArgmax argmax(layer.weight());
  BoundedArgmax::Workspace workspace;
  std::vector<TokenLogit> best(1);
  layer.bias.assign(50, kNever);
  argmax.find({x.data(), 8, 4}, layer.bias.data(), workspace, best);
  REQUIRE(best[0].token == kEosId);
  REQUIRE(best[0].logit == kNever);
}

TEST_CASE("Every instruction set screens alike", "[fused]") {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    INFO(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    Layer(203, 37, 4).require_found(normal_values(8 * 37, 0.5F, 5));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace nmt
