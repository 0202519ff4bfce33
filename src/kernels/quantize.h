#pragma once

#include <cstdint>

namespace nmt {

// Rows of numbers as integers times a scale per row.

/// to_i = round(x_i / scale) with scale = max |x_i| / largest, which is returned; a row of zeros
/// has scale 0. Unsigned bytes are shifted by largest + 1, because processors multiply unsigned by
/// signed bytes.
float quantize_row(const float* x, int64_t size, int largest, int8_t* to);
float quantize_row(const float* x, int64_t size, int largest, uint8_t* to);

}  // namespace nmt
