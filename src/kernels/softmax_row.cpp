#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax_row.cpp"
#include "kernels/softmax_row.h"

#include <hwy/foreach_target.h>

#include <limits>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

float largest_value(const float* values, int64_t size) {
  const hn::ScalableTag<float> whole;
  const auto lanes = static_cast<int64_t>(hn::Lanes(whole));
  auto largest = hn::Set(whole, -std::numeric_limits<float>::infinity());
  int64_t i = 0;
  for (; i + lanes <= size; i += lanes) largest = hn::Max(largest, hn::LoadU(whole, values + i));
  float result = hn::GetLane(hn::MaxOfLanes(whole, largest));
  for (; i < size; ++i) result = HWY_MAX(result, values[i]);
  return result;
}

void exp_in_place(float* values, int64_t size, float shift, float scale) {
  vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto shifted = hn::Sub(hn::LoadU(d, values + i), hn::Set(d, shift));
    hn::StoreU(hn::Exp(d, hn::Mul(shifted, hn::Set(d, scale))), d, values + i);
  });
}

float sum_of(const float* values, int64_t size) {
  return vector_sum(size, [&](auto d, int64_t i) HWY_ATTR { return hn::LoadU(d, values + i); });
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(largest_value);
HWY_EXPORT(exp_in_place);
HWY_EXPORT(sum_of);

float largest_value(const float* values, int64_t size) {
  return HWY_DYNAMIC_DISPATCH(largest_value)(values, size);
}

void exp_in_place(float* values, int64_t size, float shift, float scale) {
  HWY_DYNAMIC_DISPATCH(exp_in_place)(values, size, shift, scale);
}

float sum_of(const float* values, int64_t size) {
  return HWY_DYNAMIC_DISPATCH(sum_of)(values, size);
}

}  // namespace nmt
#endif
