#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention_row.cpp"
#include "kernels/attention_row.h"

#include <hwy/foreach_target.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// to_i = scale matrix_rows[i] · x, four rows at once, because the additions of one row depend on
/// each other.
HWY_INLINE void dots(ConstMatrix matrix, AttendedRows source, const float* x, float scale,
                     float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t whole = matrix.columns / lanes * lanes;
  int64_t i = 0;
  for (; i + 4 <= source.size; i += 4) {
    const float* row0 = matrix.row(source.rows[i]);
    const float* row1 = matrix.row(source.rows[i + 1]);
    const float* row2 = matrix.row(source.rows[i + 2]);
    const float* row3 = matrix.row(source.rows[i + 3]);
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    auto sum2 = hn::Zero(d);
    auto sum3 = hn::Zero(d);
    for (int64_t at = 0; at < whole; at += lanes) {
      const auto factor = hn::LoadU(d, x + at);
      sum0 = hn::MulAdd(factor, hn::LoadU(d, row0 + at), sum0);
      sum1 = hn::MulAdd(factor, hn::LoadU(d, row1 + at), sum1);
      sum2 = hn::MulAdd(factor, hn::LoadU(d, row2 + at), sum2);
      sum3 = hn::MulAdd(factor, hn::LoadU(d, row3 + at), sum3);
    }
    float sums[4] = {hn::GetLane(hn::SumOfLanes(d, sum0)), hn::GetLane(hn::SumOfLanes(d, sum1)),
                     hn::GetLane(hn::SumOfLanes(d, sum2)), hn::GetLane(hn::SumOfLanes(d, sum3))};
    for (int64_t at = whole; at < matrix.columns; ++at) {
      sums[0] += x[at] * row0[at];
      sums[1] += x[at] * row1[at];
      sums[2] += x[at] * row2[at];
      sums[3] += x[at] * row3[at];
    }
    for (int64_t k = 0; k < 4; ++k) to[i + k] = scale * sums[k];
  }
  for (; i < source.size; ++i) {
    to[i] = scale * vector_dot(matrix.columns, matrix.row(source.rows[i]), x);
  }
}

/// y += scale x
HWY_INLINE void add_scaled(int64_t width, float scale, const float* x, float* y) {
  vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
    hn::StoreU(hn::MulAdd(hn::Set(d, scale), hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
  });
}

/// y += Σ_i scales_i matrix_rows[i], four vectors of y at a time, which stay in registers.
HWY_INLINE void add_weighted_rows(const float* scales, ConstMatrix matrix, AttendedRows source,
                                  float* y) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t first = 0;
  for (; first + 4 * lanes <= matrix.columns; first += 4 * lanes) {
    float* to = y + first;
    auto sum0 = hn::LoadU(d, to);
    auto sum1 = hn::LoadU(d, to + lanes);
    auto sum2 = hn::LoadU(d, to + 2 * lanes);
    auto sum3 = hn::LoadU(d, to + 3 * lanes);
    for (int64_t i = 0; i < source.size; ++i) {
      const float* row = matrix.row(source.rows[i]) + first;
      const auto scale = hn::Set(d, scales[i]);
      sum0 = hn::MulAdd(scale, hn::LoadU(d, row), sum0);
      sum1 = hn::MulAdd(scale, hn::LoadU(d, row + lanes), sum1);
      sum2 = hn::MulAdd(scale, hn::LoadU(d, row + 2 * lanes), sum2);
      sum3 = hn::MulAdd(scale, hn::LoadU(d, row + 3 * lanes), sum3);
    }
    hn::StoreU(sum0, d, to);
    hn::StoreU(sum1, d, to + lanes);
    hn::StoreU(sum2, d, to + 2 * lanes);
    hn::StoreU(sum3, d, to + 3 * lanes);
  }
  vector_loop(matrix.columns - first, [&](auto tag, int64_t i) HWY_ATTR {
    const int64_t at = first + i;
    auto sum = hn::LoadU(tag, y + at);
    for (int64_t k = 0; k < source.size; ++k) {
      const float* row = matrix.row(source.rows[k]);
      sum = hn::MulAdd(hn::Set(tag, scales[k]), hn::LoadU(tag, row + at), sum);
    }
    hn::StoreU(sum, tag, y + at);
  });
}

/// There are few scores, so the rest that does not fill a vector is vectorized too.
HWY_INLINE void softmax(int64_t size, float* scores) {
  const hn::ScalableTag<float> d;
  constexpr int64_t kMaxLanes = HWY_MAX_BYTES / sizeof(float);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t whole = size / lanes * lanes;
  HWY_ALIGN float rest[kMaxLanes];
  std::fill(rest, rest + lanes, -std::numeric_limits<float>::infinity());
  std::copy(scores + whole, scores + size, rest);
  auto largest = hn::Load(d, rest);
  for (int64_t i = 0; i < whole; i += lanes) largest = hn::Max(largest, hn::LoadU(d, scores + i));
  largest = hn::MaxOfLanes(d, largest);
  auto sum = hn::Exp(d, hn::Sub(hn::Load(d, rest), largest));
  hn::Store(sum, d, rest);
  for (int64_t i = 0; i < whole; i += lanes) {
    const auto exponential = hn::Exp(d, hn::Sub(hn::LoadU(d, scores + i), largest));
    hn::StoreU(exponential, d, scores + i);
    sum = hn::Add(sum, exponential);
  }
  const auto scale = hn::Div(hn::Set(d, 1.0F), hn::SumOfLanes(d, sum));
  for (int64_t i = 0; i < whole; i += lanes) {
    hn::StoreU(hn::Mul(hn::LoadU(d, scores + i), scale), d, scores + i);
  }
  hn::Store(hn::Mul(hn::Load(d, rest), scale), d, rest);
  std::copy(rest, rest + (size - whole), scores + whole);
}

/// tanh(x) = 1 − 2 / (1 + e^2x), without a branch; the absolute error is a few times 2⁻²⁴.
template <class D, class V>
HWY_INLINE V quick_tanh(D d, V x) {
  const V one = hn::Set(d, 1.0F);
  const V two = hn::Set(d, 2.0F);
  const V largest = hn::Set(d, 44.0F);  // e^88 is still finite
  const V exponential = hn::Exp(d, hn::Mul(two, hn::Min(x, largest)));
  return hn::Sub(one, hn::Div(two, hn::Add(one, exponential)));
}

/// query + key + covered w_c, from element i on; w_c may be null.
template <class D>
HWY_INLINE hn::Vec<D> energy_sum(D d, int64_t i, const float* query, const float* key,
                                 float covered, const float* coverage) {
  const auto sum = hn::Add(hn::LoadU(d, query + i), hn::LoadU(d, key + i));
  if (coverage == nullptr) return sum;
  return hn::MulAdd(hn::Set(d, covered), hn::LoadU(d, coverage + i), sum);
}

HWY_INLINE float energy_score(int64_t width, const AttentionScore& score, const float* query,
                              const float* key, float covered) {
  return vector_sum(width, [&](auto d, int64_t i) HWY_ATTR {
    const auto sum = energy_sum(d, i, query, key, covered, score.coverage);
    return hn::Mul(hn::LoadU(d, score.energy + i), quick_tanh(d, sum));
  });
}

float tanh_energy(int64_t width, const float* energy, const float* x) {
  return vector_sum(width, [&](auto d, int64_t i) HWY_ATTR {
    return hn::Mul(hn::LoadU(d, energy + i), quick_tanh(d, hn::LoadU(d, x + i)));
  });
}

void tanh_energy_backward(int64_t width, float result_gradient, const float* energy, const float* x,
                          float* x_gradient, float* energy_gradient) {
  vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
    const auto gradient = hn::Set(d, result_gradient);
    const auto t = quick_tanh(d, hn::LoadU(d, x + i));
    const auto slope = hn::NegMulAdd(t, t, hn::Set(d, 1.0F));
    hn::StoreU(hn::Mul(hn::Mul(gradient, hn::LoadU(d, energy + i)), slope), d, x_gradient + i);
    hn::StoreU(hn::MulAdd(gradient, t, hn::LoadU(d, energy_gradient + i)), d, energy_gradient + i);
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
    if (score.energy == nullptr) {
      dots(keys.column_range(column, key_width), source, query + column, score.scale, own_weights);
      if (score.coverage != nullptr) {
        add_scaled(source.size, score.scale * vector_dot(key_width, score.coverage, query),
                   source.coverage, own_weights);
      }
    } else {
      for (int64_t i = 0; i < source.size; ++i) {
        const float covered = score.coverage == nullptr ? 0.0F : source.coverage[i];
        own_weights[i] =
            score.scale * energy_score(key_width, score, query, keys.row(source.rows[i]), covered);
      }
    }
    softmax(source.size, own_weights);
    if (source.factors != nullptr) {
      for (int64_t i = 0; i < source.size; ++i) own_weights[i] *= source.factors[i];
    }
    add_weighted_rows(own_weights, values.column_range(head * value_width, value_width), source,
                      context + head * value_width);
  }
}

/// dscore_i of one head times `scale`, and with factors f_i df_i.
HWY_INLINE void softmax_backward(float scale, const float* context_gradient, const float* weights,
                                 ConstMatrix values, AttendedRows source, float* score_gradient,
                                 float* factor_gradient, const float* weights_gradient) {
  dots(values, source, context_gradient, 1.0F, score_gradient);
  if (weights_gradient != nullptr) {
    for (int64_t i = 0; i < source.size; ++i) score_gradient[i] += weights_gradient[i];
  }
  float mean = 0.0F;
  for (int64_t i = 0; i < source.size; ++i) mean += weights[i] * score_gradient[i];
  if (source.factors != nullptr) {
    for (int64_t i = 0; i < source.size; ++i) {
      factor_gradient[i] = weights[i] * score_gradient[i];
      score_gradient[i] = scale * (factor_gradient[i] - weights[i] / source.factors[i] * mean);
    }
    return;
  }
  for (int64_t i = 0; i < source.size; ++i) {
    score_gradient[i] = scale * weights[i] * (score_gradient[i] - mean);
  }
}

void attend_backward(const AttentionScore& score, const float* context_gradient,
                     const float* weights, ConstMatrix keys, ConstMatrix values,
                     AttendedRows source, float* score_gradient, float* query_gradient,
                     float* factor_gradient, const float* weights_gradient) {
  const int64_t key_width = keys.columns / score.heads;
  const int64_t value_width = values.columns / score.heads;
  for (int64_t head = 0; head < score.heads; ++head) {
    const int64_t first = head * source.size;
    const int64_t column = head * value_width;
    softmax_backward(score.scale, context_gradient + column, weights + first,
                     values.column_range(column, value_width), source, score_gradient + first,
                     factor_gradient == nullptr ? nullptr : factor_gradient + first,
                     weights_gradient);
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

void coverage_backward(const AttentionScore& score, const float* score_gradient, const float* query,
                       int64_t width, AttendedRows source, float* query_gradient,
                       const CoverageGradient& gradient) {
  add_scaled(source.size, vector_dot(width, score.coverage, query), score_gradient,
             gradient.coverage);
  const float covered = vector_dot(source.size, source.coverage, score_gradient);
  add_scaled(width, covered, score.coverage, query_gradient);
  add_scaled(width, covered, query, gradient.weight);
}

void attend_backward_energy(const AttentionScore& score, const float* context_gradient,
                            const float* weights, const float* query, ConstMatrix keys,
                            ConstMatrix values, AttendedRows source, float* score_gradient,
                            float* query_gradient, Matrix keys_gradient, Matrix values_gradient,
                            float* energy_gradient, const float* weights_gradient,
                            const CoverageGradient& coverage_gradient) {
  softmax_backward(score.scale, context_gradient, weights, values, source, score_gradient,
                   /*factor_gradient=*/nullptr, weights_gradient);
  for (int64_t i = 0; i < source.size; ++i) {
    const int64_t row = source.rows[i];
    add_scaled(values.columns, weights[i], context_gradient, values_gradient.row(row));
    const float* key = keys.row(row);
    const float covered = score.coverage == nullptr ? 0.0F : source.coverage[i];
    float* key_gradient = keys_gradient.row(row);
    const float of_covered = vector_sum(keys.columns, [&](auto d, int64_t at) HWY_ATTR {
      const auto of_score = hn::Set(d, score_gradient[i]);
      const auto t = quick_tanh(d, energy_sum(d, at, query, key, covered, score.coverage));
      const auto slope = hn::NegMulAdd(t, t, hn::Set(d, 1.0F));
      const auto gradient = hn::Mul(hn::Mul(of_score, hn::LoadU(d, score.energy + at)), slope);
      const auto add_to = [&](auto value, float* sum) HWY_ATTR {
        hn::StoreU(hn::Add(hn::LoadU(d, sum + at), value), d, sum + at);
      };
      add_to(gradient, key_gradient);
      add_to(gradient, query_gradient);
      add_to(hn::Mul(of_score, t), energy_gradient);
      if (score.coverage == nullptr) return hn::Zero(d);
      add_to(hn::Mul(hn::Set(d, covered), gradient), coverage_gradient.weight);
      return hn::Mul(gradient, hn::LoadU(d, score.coverage + at));
    });
    if (score.coverage != nullptr) coverage_gradient.coverage[i] += of_covered;
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(void, attend,
           (const AttentionScore& score, const float* query, ConstMatrix keys, ConstMatrix values,
            AttendedRows source, float* weights, float* context),
           (score, query, keys, values, source, weights, context));
NMT_KERNEL(void, attend_backward,
           (const AttentionScore& score, const float* context_gradient, const float* weights,
            ConstMatrix keys, ConstMatrix values, AttendedRows source, float* score_gradient,
            float* query_gradient, float* factor_gradient, const float* weights_gradient),
           (score, context_gradient, weights, keys, values, source, score_gradient, query_gradient,
            factor_gradient, weights_gradient));
NMT_KERNEL(void, attend_backward_to_source,
           (const AttentionScore& score, const float* context_gradient, const float* weights,
            const float* score_gradient, const float* query, AttendedRows source,
            Matrix keys_gradient, Matrix values_gradient),
           (score, context_gradient, weights, score_gradient, query, source, keys_gradient,
            values_gradient));
NMT_KERNEL(void, attend_backward_energy,
           (const AttentionScore& score, const float* context_gradient, const float* weights,
            const float* query, ConstMatrix keys, ConstMatrix values, AttendedRows source,
            float* score_gradient, float* query_gradient, Matrix keys_gradient,
            Matrix values_gradient, float* energy_gradient, const float* weights_gradient,
            const CoverageGradient& coverage_gradient),
           (score, context_gradient, weights, query, keys, values, source, score_gradient,
            query_gradient, keys_gradient, values_gradient, energy_gradient, weights_gradient,
            coverage_gradient));
NMT_KERNEL(void, coverage_backward,
           (const AttentionScore& score, const float* score_gradient, const float* query,
            int64_t width, AttendedRows source, float* query_gradient,
            const CoverageGradient& gradient),
           (score, score_gradient, query, width, source, query_gradient, gradient));
NMT_KERNEL(float, tanh_energy, (int64_t width, const float* energy, const float* x),
           (width, energy, x));
NMT_KERNEL(void, tanh_energy_backward,
           (int64_t width, float result_gradient, const float* energy, const float* x,
            float* x_gradient, float* energy_gradient),
           (width, result_gradient, energy, x, x_gradient, energy_gradient));

AttendedRows first_rows(int64_t size) {
  thread_local std::vector<int32_t> rows;
  for (auto row = static_cast<int32_t>(rows.size()); row < size; ++row) rows.push_back(row);
  return {rows.data(), size};
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
