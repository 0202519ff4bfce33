#pragma once

#include <cstdint>

#include "kernels/matrix.h"

namespace nmt {

// Numbers as integers times a scale for each row.

/// to_i = round(x_i / scale) with scale = max |x_i| / largest, which is returned; a row of zeros
/// has scale 0. Unsigned bytes are shifted by largest + 1, since processors multiply unsigned by
/// signed bytes.
float quantize_row(const float* x, int64_t size, int largest, int8_t* to);
float quantize_row(const float* x, int64_t size, int largest, uint8_t* to);

/// y_ij = (sums_ij − shifts_j) row_scales_i column_scales_j, where sums_ij = Σ_k (a_ik + shift)
/// b_jk and shifts_j = shift · Σ_k b_jk.
void dequantize(MatrixView<const int32_t> sums, const float* row_scales, const float* column_scales,
                const int32_t* shifts, Matrix y);

}  // namespace nmt
