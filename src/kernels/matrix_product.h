#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/matrix.h"

namespace nmt {

enum class Into { kReplace, kAdd };

/// C = A B            A [M, K], B [K, N], C [M, N]
void multiply(ConstMatrix a, ConstMatrix b, Matrix c, Into into);

/// C = A Bᵀ           A [M, K], B [N, K], C [M, N]: inputs times the weight of a linear layer
void multiply_by_transpose(ConstMatrix a, ConstMatrix b, Matrix c, Into into);

/// C = Aᵀ B           A [K, M], B [K, N], C [M, N]: the gradient of such a weight
void multiply_transpose_by(ConstMatrix a, ConstMatrix b, Matrix c, Into into);

/// to [N, M] = from [M, N]ᵀ
void transpose(ConstMatrix from, Matrix to);

/// From now on the calling thread computes its products alone. Threads that have work of their own
/// would otherwise each wait for helpers.
void compute_products_alone();

/// The library that computes the products.
std::string matrix_product_library();

/// The shape of one product, for measuring what the products alone would cost.
struct ProductShape {
  char transpose_a = 'N';
  char transpose_b = 'N';
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  Into into = Into::kReplace;

  double flop() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};

/// While it lives, notes the products of the thread that made it.
class ProductRecorder {
 public:
  ProductRecorder();
  ~ProductRecorder();
  ProductRecorder(const ProductRecorder&) = delete;
  ProductRecorder& operator=(const ProductRecorder&) = delete;

  void add(const ProductShape& shape) { shapes_.push_back(shape); }
  const std::vector<ProductShape>& shapes() const { return shapes_; }

 private:
  std::vector<ProductShape> shapes_;
};

}  // namespace nmt
