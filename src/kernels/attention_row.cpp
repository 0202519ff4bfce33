#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention_row.cpp"
#include "kernels/attention_row.h"

#include <hwy/foreach_target.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

HWY_INLINE float dot(int64_t width, const float* a, const float* b) {
  return vector_sum(width, [&](auto d, int64_t i) HWY_ATTR {
    return hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
  });
}

/// y += scale x
HWY_INLINE void add_scaled(int64_t width, float scale, const float* x, float* y) {
  vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
    hn::StoreU(hn::MulAdd(hn::Set(d, scale), hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
  });
}

/// y += Σ_i scales_i matrix_rows[i], one vector of y at a time, which stays in a register.
HWY_INLINE void add_weighted_rows(const float* scales, ConstMatrix matrix, AttendedRows source,
                                  float* y) {
  vector_loop(matrix.columns, [&](auto d, int64_t at) HWY_ATTR {
    auto sum = hn::LoadU(d, y + at);
    for (int64_t i = 0; i < source.size; ++i) {
      sum = hn::MulAdd(hn::Set(d, scales[i]), hn::LoadU(d, matrix.row(source.rows[i]) + at), sum);
    }
    hn::StoreU(sum, d, y + at);
  });
}

void softmax(int64_t size, float* scores) {
  float largest = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < size; ++i) largest = std::max(largest, scores[i]);
  vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto shifted = hn::Sub(hn::LoadU(d, scores + i), hn::Set(d, largest));
    hn::StoreU(hn::Exp(d, shifted), d, scores + i);
  });
  float sum = 0.0F;
  for (int64_t i = 0; i < size; ++i) sum += scores[i];
  for (int64_t i = 0; i < size; ++i) scores[i] /= sum;
}

void attend(const float* query, ConstMatrix keys, ConstMatrix values, AttendedRows source,
            float* weights, float* context) {
  for (int64_t i = 0; i < source.size; ++i) {
    weights[i] = dot(keys.columns, keys.row(source.rows[i]), query);
  }
  softmax(source.size, weights);
  std::fill(context, context + values.columns, 0.0F);
  add_weighted_rows(weights, values, source, context);
}

void attend_backward(const float* context_gradient, const float* weights, ConstMatrix keys,
                     ConstMatrix values, AttendedRows source, float* score_gradient,
                     float* query_gradient) {
  float mean = 0.0F;
  for (int64_t i = 0; i < source.size; ++i) {
    score_gradient[i] = dot(values.columns, values.row(source.rows[i]), context_gradient);
    mean += weights[i] * score_gradient[i];
  }
  for (int64_t i = 0; i < source.size; ++i) {
    score_gradient[i] = weights[i] * (score_gradient[i] - mean);
  }
  add_weighted_rows(score_gradient, keys, source, query_gradient);
}

void attend_backward_to_source(const float* context_gradient, const float* weights,
                               const float* score_gradient, const float* query, AttendedRows source,
                               Matrix keys_gradient, Matrix values_gradient) {
  for (int64_t i = 0; i < source.size; ++i) {
    add_scaled(values_gradient.columns, weights[i], context_gradient,
               values_gradient.row(source.rows[i]));
    add_scaled(keys_gradient.columns, score_gradient[i], query, keys_gradient.row(source.rows[i]));
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(attend);
HWY_EXPORT(attend_backward);
HWY_EXPORT(attend_backward_to_source);

void attend(const float* query, ConstMatrix keys, ConstMatrix values, AttendedRows source,
            float* weights, float* context) {
  HWY_DYNAMIC_DISPATCH(attend)(query, keys, values, source, weights, context);
}

void attend_backward(const float* context_gradient, const float* weights, ConstMatrix keys,
                     ConstMatrix values, AttendedRows source, float* score_gradient,
                     float* query_gradient) {
  HWY_DYNAMIC_DISPATCH(attend_backward)
  (context_gradient, weights, keys, values, source, score_gradient, query_gradient);
}

void attend_backward_to_source(const float* context_gradient, const float* weights,
                               const float* score_gradient, const float* query, AttendedRows source,
                               Matrix keys_gradient, Matrix values_gradient) {
  HWY_DYNAMIC_DISPATCH(attend_backward_to_source)
  (context_gradient, weights, score_gradient, query, source, keys_gradient, values_gradient);
}

}  // namespace nmt
#endif
