#include "kernels/bfloat16.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.h"

namespace nmt {
namespace {

float from_bits(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

float widened(Bfloat16 value) { return from_bits(uint32_t{value} << 16); }

Bfloat16 rounded(float value) {
  Bfloat16 result = 0;
  round_to_bfloat16(ConstMatrix(&value, 1, 1), Bfloat16Matrix(&result, 1, 1));
  return result;
}

std::vector<float> uniform_values(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (auto& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
  return values;
}

}  // namespace

TEST_CASE("Rounding to bfloat16 goes to the nearest, ties to even", "[kernels]") {
  REQUIRE(rounded(1.0F) == 0x3F80);
  REQUIRE(rounded(from_bits(0x3F807FFF)) == 0x3F80);
  REQUIRE(rounded(from_bits(0x3F808000)) == 0x3F80);
  REQUIRE(rounded(from_bits(0x3F808001)) == 0x3F81);
  REQUIRE(rounded(from_bits(0x3F818000)) == 0x3F82);
  REQUIRE(rounded(from_bits(0xBF818000)) == 0xBF82);
  REQUIRE(std::isinf(widened(rounded(std::numeric_limits<float>::max()))));
  REQUIRE(std::isinf(widened(rounded(-std::numeric_limits<float>::infinity()))));
  REQUIRE(std::isnan(widened(rounded(from_bits(0x7FFFFFFF)))));
  REQUIRE(std::isnan(widened(rounded(from_bits(0xFF800001)))));
}

TEST_CASE("Rounding a matrix rounds each element, whatever the width", "[kernels]") {
  for (const int64_t columns : {1, 15, 16, 53}) {
    const auto from = uniform_values(static_cast<size_t>(3 * (columns + 2)), 8);
    std::vector<Bfloat16> to(static_cast<size_t>(3 * (columns + 1)), 7);
    round_to_bfloat16({from.data(), 3, columns, columns + 2}, {to.data(), 3, columns, columns + 1});
    for (int64_t row = 0; row < 3; ++row) {
      for (int64_t i = 0; i < columns; ++i) {
        REQUIRE(to[static_cast<size_t>(row * (columns + 1) + i)] ==
                rounded(from[static_cast<size_t>(row * (columns + 2) + i)]));
      }
      REQUIRE(to[static_cast<size_t>(row * (columns + 1) + columns)] == 7);
    }
  }
}

TEST_CASE("A product with a rounded factor is that of both rounded, summed in float32",
          "[kernels]") {
  if (!has_bfloat16_products()) SKIP("this processor has no bfloat16 products");
  constexpr int64_t m = 5, n = 19, k = 33;
  const auto a = uniform_values(m * k, 1);
  const auto b = uniform_values(k * n, 2);
  std::vector<Bfloat16> b_rounded(b.size());
  round_to_bfloat16({b.data(), 1, k * n}, {b_rounded.data(), 1, k * n});
  for (const char transpose_a : {'N', 'T'}) {
    for (const char transpose_b : {'N', 'T'}) {
      for (const auto mode : {WriteMode::kOverwrite, WriteMode::kAccumulate}) {
        if (transpose_a == 'T' && transpose_b == 'T') continue;
        const auto matrix = [](auto* data, char transposed, int64_t rows, int64_t columns) {
          using View = MatrixView<std::remove_pointer_t<decltype(data)>>;
          return transposed == 'T' ? View(data, columns, rows) : View(data, rows, columns);
        };
        std::vector<float> c(m * (n + 2), 0.5F);
        multiply({transpose_a, transpose_b, m, n, k, mode}, matrix(a.data(), transpose_a, m, k),
                 ConstBfloat16Matrix(matrix(b_rounded.data(), transpose_b, k, n)),
                 {c.data(), m, n, n + 2});
        for (int64_t i = 0; i < m; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            double sum = mode == WriteMode::kAccumulate ? 0.5 : 0.0;
            for (int64_t l = 0; l < k; ++l) {
              const int64_t in_a = transpose_a == 'T' ? l * m + i : i * k + l;
              const int64_t in_b = transpose_b == 'T' ? j * k + l : l * n + j;
              sum += double{widened(rounded(a[static_cast<size_t>(in_a)]))} *
                     double{widened(b_rounded[static_cast<size_t>(in_b)])};
            }
            REQUIRE(c[static_cast<size_t>(i * (n + 2) + j)] == Approx(sum).margin(1e-5));
          }
          REQUIRE(c[static_cast<size_t>(i * (n + 2) + n)] == 0.5F);
        }
      }
    }
  }
}

}  // namespace nmt
