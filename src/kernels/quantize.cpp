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

void dequantize(MatrixView<const int32_t> sums, const float* row_scales, const float* column_scales,
                const int32_t* shifts, Matrix y) {
  for (int64_t row = 0; row < y.rows; ++row) {
    const int32_t* sum = sums.row(row);
    float* values = y.row(row);
    const float row_scale = row_scales[row];
    vector_loop(y.columns, [&](auto d, int64_t i) HWY_ATTR {
      const hn::RebindToSigned<decltype(d)> di;
      const auto exact =
          hn::ConvertTo(d, hn::Sub(hn::LoadU(di, sum + i), hn::LoadU(di, shifts + i)));
      const auto scale = hn::Mul(hn::Set(d, row_scale), hn::LoadU(d, column_scales + i));
      hn::StoreU(hn::Mul(exact, scale), d, values + i);
    });
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(quantize_signed_bytes);
HWY_EXPORT(quantize_unsigned_bytes);
HWY_EXPORT(dequantize);

float quantize_row(const float* x, int64_t size, int largest, int8_t* to) {
  return HWY_DYNAMIC_DISPATCH(quantize_signed_bytes)(x, size, largest, to);
}

float quantize_row(const float* x, int64_t size, int largest, uint8_t* to) {
  return HWY_DYNAMIC_DISPATCH(quantize_unsigned_bytes)(x, size, largest, to);
}

void dequantize(MatrixView<const int32_t> sums, const float* row_scales, const float* column_scales,
                const int32_t* shifts, Matrix y) {
  HWY_DYNAMIC_DISPATCH(dequantize)(sums, row_scales, column_scales, shifts, y);
}

}  // namespace nmt
#endif
