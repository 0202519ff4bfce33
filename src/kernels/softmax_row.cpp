#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax_row.cpp"
#include "kernels/softmax_row.h"

#include <hwy/foreach_target.h>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

float largest_value(const float* values, int64_t size) {
  return vector_largest(size, [&](auto d, int64_t i) HWY_ATTR { return hn::LoadU(d, values + i); });
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

template <class D>
HWY_INLINE auto shifted(D d, const MixedLogits& member, int64_t i) {
  return hn::Add(hn::LoadU(d, member.logits + i), hn::Set(d, member.shift));
}

void log_mixture(const MixedLogits* members, size_t count, int64_t size, float* mixture) {
  vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
    auto largest = shifted(d, members[0], i);
    if (count > 1) {
      // Relative to the largest term, so that very unlikely tokens do not all underflow to 0.
      for (size_t m = 1; m < count; ++m) largest = hn::Max(largest, shifted(d, members[m], i));
      auto sum = hn::Zero(d);
      for (size_t m = 0; m < count; ++m) {
        sum = hn::Add(sum, hn::Exp(d, hn::Sub(shifted(d, members[m], i), largest)));
      }
      largest = hn::Add(largest, hn::Log(d, sum));
    }
    hn::StoreU(largest, d, mixture + i);
  });
}

void add_scaled(const MixedLogits& member, float scale, int64_t size, float* sum) {
  vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto value = hn::MulAdd(shifted(d, member, i), hn::Set(d, scale), hn::LoadU(d, sum + i));
    hn::StoreU(value, d, sum + i);
  });
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(float, largest_value, (const float* values, int64_t size), (values, size));
NMT_KERNEL(void, exp_in_place, (float* values, int64_t size, float shift, float scale),
           (values, size, shift, scale));
NMT_KERNEL(float, sum_of, (const float* values, int64_t size), (values, size));
NMT_KERNEL(void, log_mixture,
           (const MixedLogits* members, size_t count, int64_t size, float* mixture),
           (members, count, size, mixture));
NMT_KERNEL(void, add_scaled, (const MixedLogits& member, float scale, int64_t size, float* sum),
           (member, scale, size, sum));

}  // namespace nmt
#endif
