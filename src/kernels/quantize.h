#pragma once

#include <cstdint>

#include "kernels/matrix.h"

namespace nmt {

// Numbers as 8-bit integers times a scale for each row. What a layer gets is shifted to unsigned
// ones, since processors multiply unsigned by signed bytes.

constexpr int kByteShift = 128;

/// bytes_ij = round(x_ij / scale_i) with scale_i = max_j |x_ij| / largest; a row of zeros has
/// scale 0.
void quantize_rows(ConstMatrix x, int largest, MatrixView<int8_t> bytes, float* scales);

/// The same with kByteShift added, largest 127.
void quantize_rows_unsigned(ConstMatrix x, MatrixView<uint8_t> bytes, float* scales);

/// y_ij = (sums_ij − shifts_j) row_scales_i column_scales_j, where sums_ij = Σ_k (a_ik + 128) b_jk
/// and shifts_j = 128 Σ_k b_jk.
void dequantize(MatrixView<const int32_t> sums, const float* row_scales, const float* column_scales,
                const int32_t* shifts, Matrix y);

}  // namespace nmt
