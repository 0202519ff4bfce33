// Included once for each instruction set by Highway's foreach_target.h, so it has no include guard.
#if defined(NMT_KERNELS_VECTOR_LOOP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NMT_KERNELS_VECTOR_LOOP_INL_H
#undef NMT_KERNELS_VECTOR_LOOP_INL_H
#else
#define NMT_KERNELS_VECTOR_LOOP_INL_H
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "kernels/instruction_set.h"

#ifndef NMT_INSTRUCTION_SET_LIMITED
#define NMT_INSTRUCTION_SET_LIMITED

/// Defines nmt::name(parameters), which calls the function of that name for the best target.
#define NMT_KERNEL(Result, name, parameters, arguments)                   \
  HWY_EXPORT(name);                                                       \
  Result name parameters { return HWY_DYNAMIC_DISPATCH(name) arguments; } \
  static_assert(true)

namespace nmt {
/// Initialized before any function of a file that includes this is called.
inline const bool kInstructionSetLimited = limit_instruction_set();
}  // namespace nmt
#endif

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Returns the vector and makes the compiler load it once. GCC would repeat the load in every
/// instruction that uses the vector, which halves the speed of products of two or three rows.
template <class V>
HWY_INLINE V in_register(V vector) {
#if HWY_ARCH_X86
  asm("" : "+x"(vector.raw));
#endif
  return vector;
}

/// Calls body(tag, i) for i = 0, N, 2N, …: whole vectors, then the remainder one by one.
template <typename Body>
HWY_INLINE void vector_loop(int64_t count, Body&& body) {
  const hn::ScalableTag<float> whole;
  const auto lanes = static_cast<int64_t>(hn::Lanes(whole));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) body(whole, i);
  const hn::CappedTag<float, 1> single;
  for (; i < count; ++i) body(single, i);
}

/// Σ_i body(tag, i) with lanes added up at the end.
template <typename Body>
HWY_INLINE float vector_sum(int64_t count, Body&& body) {
  const hn::ScalableTag<float> whole;
  const auto lanes = static_cast<int64_t>(hn::Lanes(whole));
  auto sum = hn::Zero(whole);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) sum = hn::Add(sum, body(whole, i));
  float total = hn::GetLane(hn::SumOfLanes(whole, sum));
  const hn::CappedTag<float, 1> single;
  for (; i < count; ++i) total += hn::GetLane(body(single, i));
  return total;
}

/// The largest lane of body(tag, i); −∞ if `count` is 0.
template <typename Body>
HWY_INLINE float vector_largest(int64_t count, Body&& body) {
  const hn::ScalableTag<float> whole;
  const auto lanes = static_cast<int64_t>(hn::Lanes(whole));
  auto largest = hn::Set(whole, -std::numeric_limits<float>::infinity());
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) largest = hn::Max(largest, body(whole, i));
  float result = hn::GetLane(hn::MaxOfLanes(whole, largest));
  const hn::CappedTag<float, 1> single;
  for (; i < count; ++i) {
    const float value = hn::GetLane(body(single, i));  // once: HWY_MAX is a macro
    result = HWY_MAX(result, value);
  }
  return result;
}

/// max_i |x_i|; 0 if `count` is 0.
HWY_INLINE float vector_largest_magnitude(int64_t count, const float* x) {
  const float largest = vector_largest(
      count, [&](auto d, int64_t i) HWY_ATTR { return hn::Abs(hn::LoadU(d, x + i)); });
  return HWY_MAX(0.0F, largest);
}

/// Σ_i x_i y_i
HWY_INLINE float vector_dot(int64_t count, const float* x, const float* y) {
  return vector_sum(count, [&](auto d, int64_t i) HWY_ATTR {
    return hn::Mul(hn::LoadU(d, x + i), hn::LoadU(d, y + i));
  });
}

/// σ(x) = 1 / (1 + e^−x)
template <class D, class V>
HWY_INLINE V sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0F);
  const V largest = hn::Set(d, 88.0F);  // e^88 is still finite
  return hn::Div(one, hn::Add(one, hn::Exp(d, hn::Min(hn::Neg(x), largest))));
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
