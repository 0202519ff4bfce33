#include "kernels/layer_norm.h"

#include <cmath>
#include <vector>

#include "support/catch.h"

namespace nmt {
namespace {

constexpr int64_t kRows = 3;
constexpr int64_t kColumns = 37;  // vectors of 16, 8 and 4 leave a rest

std::vector<float> values(int64_t count, float from, float to) {
  std::vector<float> result(static_cast<size_t>(count));
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = from + (to - from) * static_cast<float>(i * 7919 % 1000) / 1000;
  }
  return result;
}

Matrix as_rows(std::vector<float>& data) {
  return {data.data(), static_cast<int64_t>(data.size()) / kColumns, kColumns};
}

/// Σ dy ⊙ y, in double precision.
double weighted_outputs(const std::vector<float>& x, const std::vector<float>& weight,
                        const std::vector<float>& bias, const std::vector<float>& dy) {
  double sum = 0;
  for (size_t row = 0; row < kRows; ++row) {
    const float* from = x.data() + row * kColumns;
    double mean = 0;
    double variance = 0;
    for (size_t i = 0; i < kColumns; ++i) mean += double{from[i]} / kColumns;
    for (size_t i = 0; i < kColumns; ++i) variance += std::pow(from[i] - mean, 2) / kColumns;
    for (size_t i = 0; i < kColumns; ++i) {
      const double normalized = (from[i] - mean) / std::sqrt(variance + 1e-5);
      sum += dy[row * kColumns + i] * (weight[i] * normalized + bias[i]);
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("Layer normalization and the gradients of its input, weight and bias", "[kernels]") {
  auto x = values(kRows * kColumns, 2, 5);
  auto weight = values(kColumns, -2, 2);
  auto bias = values(kColumns, 3, 1);
  const auto dy = values(kRows * kColumns, -1, 2);
  std::vector<float> normalized(x.size()), scales(kRows), y(x.size()), in_place = x;
  layer_norm_forward(as_rows(x), weight.data(), bias.data(), as_rows(normalized), scales.data(),
                     as_rows(y));
  layer_norm(as_rows(in_place), weight.data(), bias.data(), as_rows(in_place));
  REQUIRE(in_place == y);
  double sum = 0;
  for (size_t i = 0; i < y.size(); ++i) sum += double{y[i]} * double{dy[i]};
  REQUIRE(sum == Approx(weighted_outputs(x, weight, bias, dy)).epsilon(1e-5));

  auto dx = dy;
  std::vector<float> of_weight(kColumns), of_bias(kColumns);
  layer_norm_backward(as_rows(normalized), scales.data(), weight.data(), as_rows(dx),
                      of_weight.data(), of_bias.data());
  const auto require_gradient = [&](std::vector<float>& at, const std::vector<float>& gradient) {
    for (size_t i = 0; i < at.size(); ++i) {
      const float value = at[i];
      at[i] = value + 0.0078125F;
      const double above = weighted_outputs(x, weight, bias, dy);
      at[i] = value - 0.0078125F;
      const double below = weighted_outputs(x, weight, bias, dy);
      at[i] = value;
      REQUIRE(gradient[i] == Approx((above - below) / 0.015625).epsilon(1e-3).margin(1e-3));
    }
  };
  require_gradient(x, dx);
  require_gradient(weight, of_weight);
  require_gradient(bias, of_bias);
}

}  // namespace nmt
