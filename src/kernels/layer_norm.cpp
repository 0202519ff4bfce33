#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer_norm.cpp"
#include "kernels/layer_norm.h"

#include <hwy/foreach_target.h>

#include <cmath>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

constexpr float kEpsilon = 1e-5F;

struct RowMoments {
  float mean;
  float scale;  // 1 / √(variance + ε)
};

HWY_INLINE RowMoments moments_of(const float* x, int64_t size) {
  const auto count = static_cast<float>(size);
  const float mean =
      vector_sum(size, [&](auto d, int64_t i) HWY_ATTR { return hn::LoadU(d, x + i); }) / count;
  const float squares = vector_sum(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto centered = hn::Sub(hn::LoadU(d, x + i), hn::Set(d, mean));
    return hn::Mul(centered, centered);
  });
  return {mean, 1.0F / std::sqrt(squares / count + kEpsilon)};
}

/// w ⊙ x̂ + b
template <class D, class V = hn::Vec<D>>
HWY_INLINE V scaled(D d, V normalized, const float* weight, const float* bias, int64_t i) {
  const V w = hn::LoadU(d, weight + i);
  return bias == nullptr ? hn::Mul(normalized, w)
                         : hn::MulAdd(normalized, w, hn::LoadU(d, bias + i));
}

/// y, and x̂ and the scales if kKeeps.
template <bool kKeeps>
HWY_INLINE void normalize_rows(ConstMatrix x, const float* weight, const float* bias,
                               Matrix normalized, float* scales, Matrix y) {
  for (int64_t row = 0; row < x.rows; ++row) {
    const float* from = x.row(row);
    float* kept = normalized.row(row);
    float* to = y.row(row);
    const auto moments = moments_of(from, x.columns);
    if (kKeeps) scales[row] = moments.scale;
    vector_loop(x.columns, [&](auto d, int64_t i) HWY_ATTR {
      const auto value = hn::Mul(hn::Sub(hn::LoadU(d, from + i), hn::Set(d, moments.mean)),
                                 hn::Set(d, moments.scale));
      if (kKeeps) hn::StoreU(value, d, kept + i);
      hn::StoreU(scaled(d, value, weight, bias, i), d, to + i);
    });
  }
}

void layer_norm(ConstMatrix x, const float* weight, const float* bias, Matrix y) {
  normalize_rows<false>(x, weight, bias, {}, nullptr, y);
}

void layer_norm_forward(ConstMatrix x, const float* weight, const float* bias, Matrix normalized,
                        float* scales, Matrix y) {
  normalize_rows<true>(x, weight, bias, normalized, scales, y);
}

/// dx = (dx̂ − mean(dx̂) − x̂ mean(dx̂ ⊙ x̂)) scale, with dx̂ = dy ⊙ w.
void layer_norm_backward(ConstMatrix normalized, const float* scales, const float* weight,
                         Matrix gradient, float* weight_gradient, float* bias_gradient) {
  const int64_t size = gradient.columns;
  const auto count = static_cast<float>(size);
  for (int64_t row = 0; row < gradient.rows; ++row) {
    const float* x = normalized.row(row);
    float* dy = gradient.row(row);
    const float mean = vector_sum(size,
                                  [&](auto d, int64_t i) HWY_ATTR {
                                    const auto dy_i = hn::LoadU(d, dy + i);
                                    const auto sum = hn::Add(hn::LoadU(d, bias_gradient + i), dy_i);
                                    hn::StoreU(sum, d, bias_gradient + i);
                                    return hn::Mul(dy_i, hn::LoadU(d, weight + i));
                                  }) /
                       count;
    const float projection =
        vector_sum(size,
                   [&](auto d, int64_t i) HWY_ATTR {
                     const auto product = hn::Mul(hn::LoadU(d, dy + i), hn::LoadU(d, x + i));
                     hn::StoreU(hn::Add(hn::LoadU(d, weight_gradient + i), product), d,
                                weight_gradient + i);
                     return hn::Mul(product, hn::LoadU(d, weight + i));
                   }) /
        count;
    vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
      const auto of_normalized =
          hn::MulSub(hn::LoadU(d, dy + i), hn::LoadU(d, weight + i), hn::Set(d, mean));
      const auto centered =
          hn::NegMulAdd(hn::LoadU(d, x + i), hn::Set(d, projection), of_normalized);
      hn::StoreU(hn::Mul(centered, hn::Set(d, scales[row])), d, dy + i);
    });
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(void, layer_norm, (ConstMatrix x, const float* weight, const float* bias, Matrix y),
           (x, weight, bias, y));
NMT_KERNEL(void, layer_norm_forward,
           (ConstMatrix x, const float* weight, const float* bias, Matrix normalized, float* scales,
            Matrix y),
           (x, weight, bias, normalized, scales, y));
NMT_KERNEL(void, layer_norm_backward,
           (ConstMatrix normalized, const float* scales, const float* weight, Matrix gradient,
            float* weight_gradient, float* bias_gradient),
           (normalized, scales, weight, gradient, weight_gradient, bias_gradient));

}  // namespace nmt
#endif
