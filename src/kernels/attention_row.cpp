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

/// tanh(x) = 1 − 2 / (1 + e^2x); needs no branch, and is exact to a few units of 2⁻²⁴ absolutely.
template <class D, class V>
HWY_INLINE V quick_tanh(D d, V x) {
  const V one = hn::Set(d, 1.0F);
  const V two = hn::Set(d, 2.0F);
  const V largest = hn::Set(d, 44.0F);  // e^88 is still finite
  const V exponential = hn::Exp(d, hn::Mul(two, hn::Min(x, largest)));
  return hn::Sub(one, hn::Div(two, hn::Add(one, exponential)));
}

HWY_INLINE float energy_score(int64_t width, const float* energy, const float* query,
                              const float* key) {
  return vector_sum(width, [&](auto d, int64_t i) HWY_ATTR {
    const auto sum = hn::Add(hn::LoadU(d, query + i), hn::LoadU(d, key + i));
    return hn::Mul(hn::LoadU(d, energy + i), quick_tanh(d, sum));
  });
}

void attend(const AttentionScore& score, const float* query, ConstMatrix keys, ConstMatrix values,
            AttendedRows source, float* weights, float* context) {
  const int64_t key_width = keys.columns / score.heads;
  const int64_t value_width = values.columns / score.heads;
  std::fill(context, context + values.columns, 0.0F);
  for (int64_t head = 0; head < score.heads; ++head) {
    float* own_weights = weights + head * source.size;
    const int64_t column = head * key_width;
    for (int64_t i = 0; i < source.size; ++i) {
      const float* key = keys.row(source.rows[i]) + column;
      own_weights[i] = score.energy != nullptr ? energy_score(key_width, score.energy, query, key)
                                               : score.scale * dot(key_width, key, query + column);
    }
    softmax(source.size, own_weights);
    add_weighted_rows(own_weights, values.column_range(head * value_width, value_width), source,
                      context + head * value_width);
  }
}

/// dscore_i of one head times `scale`.
HWY_INLINE void softmax_backward(float scale, const float* context_gradient, const float* weights,
                                 ConstMatrix values, AttendedRows source, float* score_gradient) {
  float mean = 0.0F;
  for (int64_t i = 0; i < source.size; ++i) {
    score_gradient[i] = dot(values.columns, values.row(source.rows[i]), context_gradient);
    mean += weights[i] * score_gradient[i];
  }
  for (int64_t i = 0; i < source.size; ++i) {
    score_gradient[i] = scale * weights[i] * (score_gradient[i] - mean);
  }
}

void attend_backward(const AttentionScore& score, const float* context_gradient,
                     const float* weights, ConstMatrix keys, ConstMatrix values,
                     AttendedRows source, float* score_gradient, float* query_gradient) {
  const int64_t key_width = keys.columns / score.heads;
  const int64_t value_width = values.columns / score.heads;
  for (int64_t head = 0; head < score.heads; ++head) {
    const int64_t first = head * source.size;
    const int64_t column = head * value_width;
    softmax_backward(score.scale, context_gradient + column, weights + first,
                     values.column_range(column, value_width), source, score_gradient + first);
    add_weighted_rows(score_gradient + first, keys.column_range(head * key_width, key_width),
                      source, query_gradient + head * key_width);
  }
}

void attend_backward_to_source(const AttentionScore& score, const float* context_gradient,
                               const float* weights, const float* score_gradient,
                               const float* query, AttendedRows source, Matrix keys_gradient,
                               Matrix values_gradient) {
  const int64_t key_width = keys_gradient.columns / score.heads;
  const int64_t value_width = values_gradient.columns / score.heads;
  for (int64_t head = 0; head < score.heads; ++head) {
    const int64_t first = head * source.size;
    for (int64_t i = 0; i < source.size; ++i) {
      add_scaled(value_width, weights[first + i], context_gradient + head * value_width,
                 values_gradient.row(source.rows[i]) + head * value_width);
      add_scaled(key_width, score_gradient[first + i], query + head * key_width,
                 keys_gradient.row(source.rows[i]) + head * key_width);
    }
  }
}

void attend_backward_energy(const float* energy, const float* context_gradient,
                            const float* weights, const float* query, ConstMatrix keys,
                            ConstMatrix values, AttendedRows source, float* score_gradient,
                            float* query_gradient, Matrix keys_gradient, Matrix values_gradient,
                            float* energy_gradient) {
  softmax_backward(1.0F, context_gradient, weights, values, source, score_gradient);
  for (int64_t i = 0; i < source.size; ++i) {
    const int64_t row = source.rows[i];
    add_scaled(values.columns, weights[i], context_gradient, values_gradient.row(row));
    const float* key = keys.row(row);
    float* key_gradient = keys_gradient.row(row);
    vector_loop(keys.columns, [&](auto d, int64_t at) HWY_ATTR {
      const auto score = hn::Set(d, score_gradient[i]);
      const auto t = quick_tanh(d, hn::Add(hn::LoadU(d, query + at), hn::LoadU(d, key + at)));
      const auto slope = hn::NegMulAdd(t, t, hn::Set(d, 1.0F));
      const auto gradient = hn::Mul(hn::Mul(score, hn::LoadU(d, energy + at)), slope);
      const auto add_to = [&](auto value, float* sum) HWY_ATTR {
        hn::StoreU(hn::Add(hn::LoadU(d, sum + at), value), d, sum + at);
      };
      add_to(gradient, key_gradient);
      add_to(gradient, query_gradient);
      add_to(hn::Mul(score, t), energy_gradient);
    });
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(attend);
HWY_EXPORT(attend_backward);
HWY_EXPORT(attend_backward_to_source);
HWY_EXPORT(attend_backward_energy);

void attend(const AttentionScore& score, const float* query, ConstMatrix keys, ConstMatrix values,
            AttendedRows source, float* weights, float* context) {
  HWY_DYNAMIC_DISPATCH(attend)(score, query, keys, values, source, weights, context);
}

void attend_backward(const AttentionScore& score, const float* context_gradient,
                     const float* weights, ConstMatrix keys, ConstMatrix values,
                     AttendedRows source, float* score_gradient, float* query_gradient) {
  HWY_DYNAMIC_DISPATCH(attend_backward)
  (score, context_gradient, weights, keys, values, source, score_gradient, query_gradient);
}

void attend_backward_to_source(const AttentionScore& score, const float* context_gradient,
                               const float* weights, const float* score_gradient,
                               const float* query, AttendedRows source, Matrix keys_gradient,
                               Matrix values_gradient) {
  HWY_DYNAMIC_DISPATCH(attend_backward_to_source)
  (score, context_gradient, weights, score_gradient, query, source, keys_gradient, values_gradient);
}

void attend_backward_energy(const float* energy, const float* context_gradient,
                            const float* weights, const float* query, ConstMatrix keys,
                            ConstMatrix values, AttendedRows source, float* score_gradient,
                            float* query_gradient, Matrix keys_gradient, Matrix values_gradient,
                            float* energy_gradient) {
  HWY_DYNAMIC_DISPATCH(attend_backward_energy)
  (energy, context_gradient, weights, query, keys, values, source, score_gradient, query_gradient,
   keys_gradient, values_gradient, energy_gradient);
}

void average_heads(int64_t heads, int64_t size, const float* weights, float* mean) {
  const float share = 1.0F / static_cast<float>(heads);
  for (int64_t i = 0; i < size; ++i) {
    float sum = 0.0F;
    for (int64_t head = 0; head < heads; ++head) sum += weights[head * size + i];
    mean[i] = share * sum;
  }
}

}  // namespace nmt
#endif
