#pragma once

#include <cstddef>
#include <cstdint>

namespace nmt {

/// The largest of `size` values; −∞ if there are none.
float largest_value(const float* values, int64_t size);

/// values [size] = exp((values − shift) · scale); `shift` is at least the largest value.
void exp_in_place(float* values, int64_t size, float shift, float scale);

/// Σ of `size` values.
float sum_of(const float* values, int64_t size);

/// Log-probabilities: a model's logits plus `shift`.
struct MixedLogits {
  const float* logits = nullptr;  // [size]
  float shift = 0.0F;
};

/// mixture [size] = log Σ_m exp(logits_m + shift_m); `mixture` may be the memory of one of the
/// logits.
void log_mixture(const MixedLogits* members, size_t count, int64_t size, float* mixture);

/// sum [size] += scale · (logits + shift)
void add_scaled(const MixedLogits& member, float scale, int64_t size, float* sum);

}  // namespace nmt
