#pragma once

#include <cstdint>

namespace nmt {

/// The largest of `size` values; −∞ of none.
float largest_value(const float* values, int64_t size);

/// values [size] = exp((values − shift) · scale); `shift` at least the largest one.
void exp_in_place(float* values, int64_t size, float shift, float scale);

/// Σ of `size` values.
float sum_of(const float* values, int64_t size);

}  // namespace nmt
