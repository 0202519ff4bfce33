#include "kernels/matrix_product.h"

#ifdef NMT_HAS_ONEDNN
#include <oneapi/dnnl/dnnl.h>
#endif

#include <omp.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include "kernels/bfloat16.h"

#ifndef NMT_HAS_ONEDNN
extern "C" void sgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
                       const int* k, const float* alpha, const float* a, const int* lda,
                       const float* b, const int* ldb, const float* beta, float* c, const int* ldc);
#endif

namespace nmt {
namespace {

thread_local ProductRecorder* recorder = nullptr;

/// op(A) op(B) by the library; row-major.
void exact_product(const ProductShape& shape, ConstMatrix a, ConstMatrix b, Matrix c) {
  const float beta = shape.mode == WriteMode::kAccumulate ? 1.0F : 0.0F;
#ifdef NMT_HAS_ONEDNN
  dnnl_sgemm(shape.transpose_a, shape.transpose_b, shape.m, shape.n, shape.k, 1.0F, a.data,
             a.stride, b.data, b.stride, beta, c.data, c.stride);
#else
  // BLAS is column-major: the product of row-major matrices is (op(B)ᵀ op(A)ᵀ)ᵀ.
  const auto as_int = [](int64_t value) { return static_cast<int>(value); };
  const int m = as_int(shape.m), n = as_int(shape.n), k = as_int(shape.k);
  const int lda = as_int(a.stride), ldb = as_int(b.stride), ldc = as_int(c.stride);
  const float alpha = 1.0F;
  sgemm_(&shape.transpose_b, &shape.transpose_a, &n, &m, &k, &alpha, b.data, &ldb, a.data, &lda,
         &beta, c.data, &ldc);
#endif
}

/// The factor's rounded values, or its exact ones rounded into `workspace`.
ConstBfloat16Matrix rounded(const Factor& factor, std::vector<Bfloat16>& workspace) {
  if (factor.is_rounded()) return factor.rounded;
  return rounded(factor.exact, workspace);
}

}  // namespace

void multiply(const ProductShape& shape, const Factor& a, const Factor& b, Matrix c) {
  assert(c.rows == shape.m && c.columns == shape.n);
  assert(shape.k > 0 || shape.mode == WriteMode::kAccumulate);
  if (shape.m == 0 || shape.n == 0 || shape.k == 0) return;
  const bool bfloat16 = a.is_rounded() || b.is_rounded();
  record_product({shape, bfloat16});
  if (bfloat16) {
    thread_local std::vector<Bfloat16> workspace;  // one of the two factors is already rounded
    bfloat16_product(shape, rounded(a, workspace), rounded(b, workspace), c);
  } else {
    exact_product(shape, a.exact, b.exact, c);
  }
}

void multiply(const Factor& a, const Factor& b, Matrix c, WriteMode mode) {
  assert(a.columns() == b.rows());
  multiply({'N', 'N', a.rows(), b.columns(), a.columns(), mode}, a, b, c);
}

void multiply_by_transpose(const Factor& a, const Factor& b, Matrix c, WriteMode mode) {
  assert(a.columns() == b.columns());
  multiply({'N', 'T', a.rows(), b.rows(), a.columns(), mode}, a, b, c);
}

void multiply_transpose_by(const Factor& a, const Factor& b, Matrix c, WriteMode mode) {
  assert(a.rows() == b.rows());
  multiply({'T', 'N', a.columns(), b.columns(), a.rows(), mode}, a, b, c);
}

void transpose(ConstMatrix from, Matrix to) {
  assert(from.rows == to.columns && from.columns == to.rows);
  constexpr int64_t kBlock = 16;  // a cache line of each row
  for (int64_t first_row = 0; first_row < from.rows; first_row += kBlock) {
    const int64_t last_row = std::min(from.rows, first_row + kBlock);
    for (int64_t column = 0; column < from.columns; ++column) {
      for (int64_t row = first_row; row < last_row; ++row) {
        to.row(column)[row] = from.row(row)[column];
      }
    }
  }
}

void record_product(const RecordedProduct& product) {
  if (recorder != nullptr) recorder->add(product);
}

void compute_products_alone() { ::omp_set_num_threads(1); }

ProductsAlone::ProductsAlone() : threads_before_(::omp_get_max_threads()) {
  compute_products_alone();
}
ProductsAlone::~ProductsAlone() { ::omp_set_num_threads(threads_before_); }

std::string matrix_product_library() {
#ifdef NMT_HAS_ONEDNN
  const auto* version = dnnl_version();
  return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->patch);
#else
  return "BLAS";
#endif
}

ProductRecorder::ProductRecorder() { recorder = this; }
ProductRecorder::~ProductRecorder() { recorder = nullptr; }

}  // namespace nmt
