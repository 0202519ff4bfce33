#pragma once

#include <vector>

#include "kernels/matrix.h"
#include "kernels/matrix_product.h"

namespace nmt {

/// Rounds to nearest, ties to even; NaN stays NaN.
void round_to_bfloat16(ConstMatrix from, Bfloat16Matrix to);

/// Rounds the matrix into `workspace`, which grows as needed; returns a view of it.
Bfloat16Matrix rounded(ConstMatrix matrix, std::vector<Bfloat16>& workspace);

/// Whether the CPU and the library have fast bfloat16 products.
bool has_bfloat16_products();

/// op(A) op(B) of rounded factors, summed in float32.
void bfloat16_product(const ProductShape& shape, ConstBfloat16Matrix a, ConstBfloat16Matrix b,
                      Matrix c);

}  // namespace nmt
