#include "kernels/elementwise.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.h"

namespace nmt {
namespace {

Matrix matrix_of(std::vector<float>& values, int64_t columns) {
  return {values.data(), static_cast<int64_t>(values.size()) / columns, columns};
}

/// What dropout makes of ones.
void draw_mask(uint64_t seed, float probability, std::vector<float>& mask, int64_t columns) {
  std::fill(mask.begin(), mask.end(), 1.0F);
  drop_out(seed, probability, 0, matrix_of(mask, columns));
}

}  // namespace

TEST_CASE("A dropout mask drops its share and keeps the mean", "[kernels]") {
  std::vector<float> mask(1000 * 37);
  for (const float probability : {0.1F, 0.5F, 0.8F}) {
    draw_mask(12345, probability, mask, 37);
    double dropped = 0;
    double sum = 0;
    for (const float value : mask) {
      if (value == 0) ++dropped;
      sum += value;
      REQUIRE((value == 0 || value == Approx(1 / (1 - probability))));
    }
    const auto count = static_cast<double>(mask.size());
    REQUIRE(dropped / count == Approx(probability).margin(0.01));
    REQUIRE(sum / count == Approx(1).margin(0.03));
  }
}

TEST_CASE("Dropout masks of different seeds, rows and columns are unrelated", "[kernels]") {
  constexpr int64_t kColumns = 64;
  std::vector<float> one(512 * kColumns);
  std::vector<float> other(one.size());
  draw_mask(1, 0.5F, one, kColumns);
  const auto agreement = [&](auto&& partner) {
    double same = 0;
    double count = 0;
    for (size_t i = 0; i < one.size(); ++i) {
      const size_t j = partner(i);
      if (j >= other.size()) continue;
      same += (one[i] == other[j]) ? 1 : 0;
      ++count;
    }
    return same / count;
  };
  for (const uint64_t seed : {2ULL, 3ULL, 1ULL << 32, 1ULL << 63}) {
    draw_mask(seed, 0.5F, other, kColumns);
    for (const size_t shift : {0, 1, 2, 64}) {
      INFO("seed " << seed << "  shift " << shift);
      REQUIRE(agreement([&](size_t i) { return i + shift; }) == Approx(0.5).margin(0.02));
    }
  }
}

TEST_CASE("Rows are dropped alike, together or some at a time", "[kernels]") {
  std::vector<float> together(9 * 37, 2.0F);
  auto apart = together;
  drop_out(99, 0.4F, 0, matrix_of(together, 37));
  for (const auto& [first, count] : {std::pair{5, 4}, {0, 3}, {3, 2}}) {
    drop_out(99, 0.4F, first, matrix_of(apart, 37).row_range(first, count));
  }
  REQUIRE(together == apart);
}

TEST_CASE("Column sums add to what is there", "[kernels]") {
  std::vector<float> values = {1, 2, 3, 4, 5, 6};
  std::vector<float> sums = {10, 20, 30};
  add_column_sums(matrix_of(values, 3), sums.data());
  REQUIRE(sums == std::vector<float>{15, 27, 39});
}

TEST_CASE("tanh and its way back", "[kernels]") {
  std::vector<float> values = {-3, -0.1F, 0, 0.5F};
  const std::vector<float> bias = {1, 0, 0, 0.25F};
  auto outputs = values;
  tanh_with_bias(matrix_of(outputs, 4), bias.data());
  std::vector<float> gradient = {1, 2, 3, 4};
  tanh_backward(matrix_of(outputs, 4), matrix_of(gradient, 4));
  for (size_t i = 0; i < values.size(); ++i) {
    const double expected = std::tanh(double{values[i]} + double{bias[i]});
    REQUIRE(outputs[i] == Approx(expected).margin(1e-6));
    REQUIRE(gradient[i] == Approx(static_cast<double>(i + 1) * (1 - expected * expected)));
  }
}

}  // namespace nmt
