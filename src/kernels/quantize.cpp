#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantize.cpp"
#include "kernels/quantize.h"

#include <hwy/foreach_target.h>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

template <typename Integer>
HWY_INLINE float quantize(const float* x, int64_t size, int largest, int shift, Integer* to) {
  const float magnitude = vector_largest_magnitude(size, x);
  const float factor = magnitude > 0 ? static_cast<float>(largest) / magnitude : 0.0F;
  vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const hn::Rebind<Integer, decltype(d)> narrow;
    const auto rounded = hn::NearestInt(hn::Mul(hn::LoadU(d, x + i), hn::Set(d, factor)));
    hn::StoreU(hn::DemoteTo(narrow, hn::Add(rounded, hn::Set(di, shift))), narrow, to + i);
  });
  return magnitude / static_cast<float>(largest);
}

float quantize_signed_bytes(const float* x, int64_t size, int largest, int8_t* to) {
  return quantize(x, size, largest, 0, to);
}

float quantize_unsigned_bytes(const float* x, int64_t size, int largest, uint8_t* to) {
  return quantize(x, size, largest, largest + 1, to);
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(quantize_signed_bytes);
HWY_EXPORT(quantize_unsigned_bytes);

float quantize_row(const float* x, int64_t size, int largest, int8_t* to) {
  return HWY_DYNAMIC_DISPATCH(quantize_signed_bytes)(x, size, largest, to);
}

float quantize_row(const float* x, int64_t size, int largest, uint8_t* to) {
  return HWY_DYNAMIC_DISPATCH(quantize_unsigned_bytes)(x, size, largest, to);
}

}  // namespace nmt
#endif
