#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/token_loss_row.cpp"
#include "kernels/token_loss_row.h"

#include <hwy/foreach_target.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// logits += bias; returns the largest.
HWY_INLINE float add_bias(float* logits, const float* bias, int64_t size) {
  const hn::ScalableTag<float> whole;
  auto largest = hn::Set(whole, -std::numeric_limits<float>::infinity());
  float rest = -std::numeric_limits<float>::infinity();
  const auto lanes = static_cast<int64_t>(hn::Lanes(whole));
  int64_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto sum = hn::Add(hn::LoadU(whole, logits + i), hn::LoadU(whole, bias + i));
    hn::StoreU(sum, whole, logits + i);
    largest = hn::Max(largest, sum);
  }
  for (; i < size; ++i) rest = std::max(rest, logits[i] += bias[i]);
  return std::max(rest, hn::GetLane(hn::MaxOfLanes(whole, largest)));
}

float token_loss_row(float* logits, const float* bias, int64_t vocabulary_size, int64_t target,
                     float label_smoothing, float scale) {
  const float largest = add_bias(logits, bias, vocabulary_size);
  const float target_logit = logits[target] - largest;
  const float sum = vector_sum(vocabulary_size, [&](auto d, int64_t i) HWY_ATTR {
    const auto exponential = hn::Exp(d, hn::Sub(hn::LoadU(d, logits + i), hn::Set(d, largest)));
    hn::StoreU(exponential, d, logits + i);
    return exponential;
  });
  // d objective / d logit_v = p(v) − (1 − ε) [v is the target] − ε / V
  const float spread = scale * label_smoothing / static_cast<float>(vocabulary_size);
  vector_loop(vocabulary_size, [&](auto d, int64_t i) HWY_ATTR {
    const auto gradient =
        hn::MulSub(hn::LoadU(d, logits + i), hn::Set(d, scale / sum), hn::Set(d, spread));
    hn::StoreU(gradient, d, logits + i);
  });
  logits[target] -= scale * (1.0F - label_smoothing);
  return std::log(sum) - target_logit;
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(token_loss_row);

float token_loss_row(float* logits, const float* bias, int64_t vocabulary_size, int64_t target,
                     float label_smoothing, float scale) {
  return HWY_DYNAMIC_DISPATCH(token_loss_row)(logits, bias, vocabulary_size, target,
                                              label_smoothing, scale);
}

}  // namespace nmt
#endif
