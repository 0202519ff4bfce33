#include "kernels/packed_weight.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/quantize.h"
#include "kernels/selected_outputs.h"
#include "support/catch.h"
#include "threads/thread_team.h"

namespace nmt {
namespace {

std::vector<float> normal_values(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<size_t>(count));
  for (auto& value : values) value = std::normal_distribution<float>(0, 0.3F)(random);
  return values;
}

std::vector<double> exact_product(const std::vector<float>& x, ConstMatrix weight) {
  const auto rows = static_cast<int64_t>(x.size()) / weight.columns;
  std::vector<double> y;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < weight.rows; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < weight.columns; ++k) {
        sum += double{x[static_cast<size_t>(i * weight.columns + k)]} * double{weight.row(j)[k]};
      }
      y.push_back(sum);
    }
  }
  return y;
}

std::vector<float> packed_product(const PackedWeight& weight, std::vector<float> x) {
  const auto rows = static_cast<int64_t>(x.size()) / weight.inputs();
  std::vector<float> y(static_cast<size_t>(rows * weight.outputs()), 99.0F);
  weight.multiply({x.data(), rows, weight.inputs()}, {y.data(), rows, weight.outputs()});
  return y;
}

}  // namespace

TEST_CASE("A packed weight multiplies like the plain one, whatever the sizes", "[kernels]") {
  for (const auto& [outputs, inputs] : {std::pair<int64_t, int64_t>{1, 1}, {7, 5}, {33, 70}}) {
    // Columns of a wider matrix, as the part of a weight is.
    const auto values = normal_values(outputs * (inputs + 3), 1);
    const ConstMatrix weight(values.data() + 2, outputs, inputs, inputs + 3);
    const PackedWeight packed(weight, WeightType::kFloat32);
    for (const int64_t rows : {1, 2, 5, 16, 61}) {
      INFO(outputs << " x " << inputs << ", " << rows << " rows");
      const auto x = normal_values(rows * inputs, 2);
      const auto expected = exact_product(x, weight);
      const auto found = packed_product(packed, x);
      for (size_t i = 0; i < expected.size(); ++i) {
        REQUIRE(found[i] == Approx(expected[i]).margin(1e-5));
      }
    }
  }
}

TEST_CASE("A row's product does not depend on the other rows of its batch", "[kernels]") {
  constexpr int64_t kRows = 200;
  for (const auto type : {WeightType::kFloat32, WeightType::kInt8}) {
    for (const auto& [outputs, inputs] : {std::pair<int64_t, int64_t>{150, 70}, {384, 512}}) {
      const auto values = normal_values(outputs * inputs, 7);
      const PackedWeight packed(ConstMatrix(values.data(), outputs, inputs), type);
      const auto x = normal_values(kRows * inputs, 8);
      const auto together = packed_product(packed, x);
      for (const int64_t rows : {1, 2, 3, 4, 5, 7, 8, 13, 20, 97}) {
        INFO(outputs << " x " << inputs << ", " << rows << " rows of " << kRows);
        std::vector<float> apart;
        for (int64_t first = 0; first < kRows; first += rows) {
          const int64_t last = std::min(first + rows, kRows);
          const auto found =
              packed_product(packed, {x.begin() + first * inputs, x.begin() + last * inputs});
          apart.insert(apart.end(), found.begin(), found.end());
        }
        REQUIRE(apart == together);
      }
    }
  }
}

TEST_CASE("8-bit products are near the exact ones", "[kernels]") {
  const auto values = normal_values(40 * 64, 3);
  const ConstMatrix weight(values.data(), 40, 64);
  const PackedWeight packed(weight, WeightType::kInt8);
  auto x = normal_values(9 * 64, 4);
  std::fill(x.begin() + 64, x.begin() + 128, 0.0F);  // a row of zeros
  const auto expected = exact_product(x, weight);
  const auto found = packed_product(packed, x);
  double squares = 0;
  double error = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    squares += expected[i] * expected[i];
    error += (found[i] - expected[i]) * (found[i] - expected[i]);
    if (i / 40 == 1) REQUIRE(found[i] == 0);
  }
  // Steps of 1/127 of the largest of 64 normal values: about half a per cent.
  REQUIRE(std::sqrt(error / squares) < 0.02);
  REQUIRE(error > 0);
}

TEST_CASE("Threads multiply by one packed weight at the same time", "[kernels]") {
  for (const auto type : {WeightType::kFloat32, WeightType::kInt8}) {
    const auto values = normal_values(512 * 96, 5);
    const PackedWeight packed(ConstMatrix(values.data(), 512, 96), type);
    const auto x = normal_values(24 * 96, 6);
    const auto expected = packed_product(packed, x);
    ThreadTeam team(4);
    std::vector<int> wrong(4);
    team.run([&](int member) {
      for (int round = 0; round < 50; ++round) {
        if (packed_product(packed, x) != expected) ++wrong[static_cast<size_t>(member)];
      }
    });
    REQUIRE(wrong == std::vector<int>(4));
  }
}

TEST_CASE("Rows are quantized by their own largest number", "[kernels]") {
  const std::vector<float> x = {0.5F, -2.0F, 1.0F, 0, 0, 0};
  std::vector<int8_t> bytes(6);
  std::vector<float> scales(2);
  for (int i = 0; i < 2; ++i) {
    scales[i] = quantize_row(x.data() + 3 * i, 3, 127, bytes.data() + 3 * i);
  }
  REQUIRE(bytes == std::vector<int8_t>{32, -127, 64, 0, 0, 0});
  REQUIRE(scales[0] == Approx(2.0 / 127));
  REQUIRE(scales[1] == 0);
}

TEST_CASE("Selected outputs are those of the whole product, whatever rows share them",
          "[kernels]") {
  const std::vector<int32_t> few = {3};
  const std::vector<int32_t> some = {0, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
  std::vector<int32_t> most;
  for (int32_t i = 1; i < 150; i += i % 5 == 0 ? 2 : 1) most.push_back(i);
  const std::vector<OutputSelection> selections = {{0, 1, &some},  {1, 5, &most}, {6, 2, &some},
                                                   {8, 13, &most}, {21, 4, &few}, {25, 3, &most}};
  constexpr int64_t kRows = 28;
  for (const int64_t inputs : {5, 70, 256, 777}) {
    INFO(inputs << " inputs");
    const auto values = normal_values(150 * inputs, 7);
    const ConstMatrix weight(values.data(), 150, inputs);
    const auto x = normal_values(kRows * inputs, 8);
    const auto float_product = packed_product({weight, WeightType::kFloat32}, x);
    const auto int8_product = packed_product({weight, WeightType::kInt8}, x);
    std::vector<float> float_found(kRows * 150);
    std::vector<float> int8_found(kRows * 150);
    multiply_selected({x.data(), kRows, inputs}, weight, selections,
                      {float_found.data(), kRows, 150});
    const IntegerRows rows(weight);
    rows.multiply({x.data(), kRows, inputs}, selections, {int8_found.data(), kRows, 150});
    for (const auto& selection : selections) {
      for (int64_t row = selection.first_row; row < selection.first_row + selection.num_rows;
           ++row) {
        std::vector<float> alone(150);
        multiply_selected({x.data() + row * inputs, 1, inputs}, weight, {{0, 1, selection.outputs}},
                          {alone.data(), 1, 150});
        for (size_t i = 0; i < selection.outputs->size(); ++i) {
          const auto at = static_cast<size_t>(row * 150) + i;
          const auto whole = static_cast<size_t>(row * 150 + (*selection.outputs)[i]);
          REQUIRE(float_found[at] == Approx(float_product[whole]).margin(1e-4));
          REQUIRE(float_found[at] == alone[i]);
          REQUIRE(int8_found[at] == int8_product[whole]);
        }
      }
    }
  }
}

}  // namespace nmt
