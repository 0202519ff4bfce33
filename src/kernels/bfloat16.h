#pragma once

#include <vector>

#include "kernels/matrix.h"
#include "kernels/matrix_product.h"

namespace nmt {

/// Rounds to the nearest, ties to even; what is not a number stays so.
void round_to_bfloat16(ConstMatrix from, Bfloat16Matrix to);

/// The matrix rounded into `workspace`, which grows as it has to.
Bfloat16Matrix rounded(ConstMatrix matrix, std::vector<Bfloat16>& workspace);

/// Whether this processor multiplies bfloat16 numbers faster than float32 ones and the library
/// knows how.
bool has_bfloat16_products();

/// op(A) op(B) of rounded factors, summed in float32.
void bfloat16_product(const ProductShape& shape, ConstBfloat16Matrix a, ConstBfloat16Matrix b,
                      Matrix c);

}  // namespace nmt
