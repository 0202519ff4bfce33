#include "kernels/matrix_product.h"

#include <random>
#include <vector>

#include "support/catch.h"

namespace nmt {
namespace {

/// A matrix of random values within a wider one, so that strides matter.
struct Random {
  Random(int64_t rows, int64_t columns, unsigned seed)
      : values(static_cast<size_t>(rows * (columns + 3))),
        matrix(values.data() + 1, rows, columns, columns + 3) {
    std::mt19937 random(seed);
    for (auto& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
  }

  std::vector<float> values;
  Matrix matrix;
};

template <typename A, typename B>
void require_product(Matrix found, const std::vector<float>& before, int64_t depth, WriteMode mode,
                     A&& a, B&& b) {
  for (int64_t i = 0; i < found.rows; ++i) {
    for (int64_t j = 0; j < found.columns; ++j) {
      double expected = mode == WriteMode::kAccumulate
                            ? before[static_cast<size_t>(1 + i * found.stride + j)]
                            : 0.0;
      for (int64_t k = 0; k < depth; ++k) expected += double{a(i, k)} * double{b(k, j)};
      REQUIRE(found.row(i)[j] == Approx(expected).margin(1e-5));
    }
  }
}

}  // namespace

TEST_CASE("The three products are what their names say, added or replacing", "[kernels]") {
  constexpr int64_t m = 5, n = 7, k = 3;
  const auto at = [](const Random& x) {
    return [&](int64_t i, int64_t j) { return x.matrix.row(i)[j]; };
  };
  const auto at_transposed = [](const Random& x) {
    return [&](int64_t i, int64_t j) { return x.matrix.row(j)[i]; };
  };
  for (const auto mode : {WriteMode::kOverwrite, WriteMode::kAccumulate}) {
    const Random a(m, k, 1), a_t(k, m, 2), b(k, n, 3), b_t(n, k, 4);
    Random c(m, n, 5);
    auto before = c.values;
    multiply(a.matrix, b.matrix, c.matrix, mode);
    require_product(c.matrix, before, k, mode, at(a), at(b));
    before = c.values;
    multiply_by_transpose(a.matrix, b_t.matrix, c.matrix, mode);
    require_product(c.matrix, before, k, mode, at(a), at_transposed(b_t));
    before = c.values;
    multiply_transpose_by(a_t.matrix, b.matrix, c.matrix, mode);
    require_product(c.matrix, before, k, mode, at_transposed(a_t), at(b));
    // The columns between the rows belong to somebody else.
    for (int64_t i = 0; i + 1 < m; ++i)
      REQUIRE(c.matrix.row(i)[n] == before[size_t(1 + i * 10 + 7)]);
  }
}

TEST_CASE("Transposing moves every element", "[kernels]") {
  Random from(19, 33, 6);
  Random to(33, 19, 7);
  transpose(from.matrix, to.matrix);
  for (int64_t i = 0; i < 19; ++i) {
    for (int64_t j = 0; j < 33; ++j) REQUIRE(to.matrix.row(j)[i] == from.matrix.row(i)[j]);
  }
}

TEST_CASE("A recorder notes products while it lives", "[kernels]") {
  Random a(2, 3, 1), b(3, 4, 2), c(2, 4, 3);
  {
    const ProductRecorder recorder;
    multiply(a.matrix, b.matrix, c.matrix, WriteMode::kAccumulate);
    multiply(a.matrix.row_range(0, 0), b.matrix, c.matrix.row_range(0, 0), WriteMode::kAccumulate);
    REQUIRE(recorder.products().size() == 1);
    const auto& shape = recorder.products()[0].shape;
    REQUIRE(std::vector<int64_t>{shape.m, shape.n, shape.k} == std::vector<int64_t>{2, 4, 3});
  }
  multiply(a.matrix, b.matrix, c.matrix, WriteMode::kAccumulate);
}

}  // namespace nmt
