#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/matrix.h"

namespace nmt {

/// Whether a product overwrites C (beta = 0) or is added to C (beta = 1).
enum class WriteMode { kOverwrite, kAccumulate };

/// A factor of a product. If one factor of a product is rounded to bfloat16, the product rounds the
/// other one too; sums are always float32.
struct Factor {
  Factor(ConstMatrix matrix) : exact(matrix) {}
  Factor(Matrix matrix) : exact(matrix) {}
  Factor(ConstBfloat16Matrix matrix) : rounded(matrix) {}
  Factor(Bfloat16Matrix matrix) : rounded(matrix) {}

  bool is_rounded() const { return rounded.data != nullptr; }
  int64_t rows() const { return is_rounded() ? rounded.rows : exact.rows; }
  int64_t columns() const { return is_rounded() ? rounded.columns : exact.columns; }
  Factor column_range(int64_t first, int64_t count) const {
    if (is_rounded()) return rounded.column_range(first, count);
    return exact.column_range(first, count);
  }

  ConstMatrix exact;
  ConstBfloat16Matrix rounded;
};

/// The shape of one product C [M, N] = op(A) [M, K] op(B) [K, N]; op is the transpose for 'T'.
struct ProductShape {
  char transpose_a = 'N';
  char transpose_b = 'N';
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  WriteMode mode = WriteMode::kOverwrite;
};

void multiply(const ProductShape& shape, const Factor& a, const Factor& b, Matrix c);

/// C = A B            A [M, K], B [K, N], C [M, N]
void multiply(const Factor& a, const Factor& b, Matrix c, WriteMode mode);

/// C = A Bᵀ           A [M, K], B [N, K], C [M, N]: inputs times the weight of a linear layer
void multiply_by_transpose(const Factor& a, const Factor& b, Matrix c, WriteMode mode);

/// C = Aᵀ B           A [K, M], B [K, N], C [M, N]: the gradient of such a weight
void multiply_transpose_by(const Factor& a, const Factor& b, Matrix c, WriteMode mode);

/// to [N, M] = from [M, N]ᵀ
void transpose(ConstMatrix from, Matrix to);

/// Makes the calling thread compute its products without OpenMP helper threads, for threads that
/// each have their own work.
void compute_products_alone();

/// compute_products_alone() for the lifetime of the object.
class ProductsAlone {
 public:
  ProductsAlone();
  ~ProductsAlone();
  ProductsAlone(const ProductsAlone&) = delete;
  ProductsAlone& operator=(const ProductsAlone&) = delete;

 private:
  int threads_before_;
};

/// Name of the library that computes the products.
std::string matrix_product_library();

class PackedWeight;

/// A product that was computed, so that benchmarks can replay only the products.
struct RecordedProduct {
  ProductShape shape;
  bool bfloat16 = false;
  const PackedWeight* packed = nullptr;  // the second factor, if packed
};

/// Records a product that was computed elsewhere.
void record_product(const RecordedProduct& product);

/// Records the products of the thread that created it, during its lifetime.
class ProductRecorder {
 public:
  ProductRecorder();
  ~ProductRecorder();
  ProductRecorder(const ProductRecorder&) = delete;
  ProductRecorder& operator=(const ProductRecorder&) = delete;

  void add(const RecordedProduct& product) { products_.push_back(product); }
  const std::vector<RecordedProduct>& products() const { return products_; }

 private:
  std::vector<RecordedProduct> products_;
};

}  // namespace nmt
