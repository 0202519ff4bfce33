#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantize.cpp"
#include "kernels/quantize.h"

#include <hwy/foreach_target.h>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// bytes = round(x · factor) + shift
template <typename Byte>
HWY_INLINE void quantize_row(int64_t count, const float* x, float factor, int shift, Byte* bytes) {
  vector_loop(count, [&](auto d, int64_t i) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const hn::Rebind<Byte, decltype(d)> narrow;
    const auto rounded = hn::NearestInt(hn::Mul(hn::LoadU(d, x + i), hn::Set(d, factor)));
    hn::StoreU(hn::DemoteTo(narrow, hn::Add(rounded, hn::Set(di, shift))), narrow, bytes + i);
  });
}

template <typename Byte>
HWY_INLINE void quantize_all(ConstMatrix x, int largest, int shift, MatrixView<Byte> bytes,
                             float* scales) {
  for (int64_t row = 0; row < x.rows; ++row) {
    const float magnitude = vector_largest_magnitude(x.columns, x.row(row));
    scales[row] = magnitude / static_cast<float>(largest);
    const float factor = magnitude > 0 ? static_cast<float>(largest) / magnitude : 0.0F;
    quantize_row(x.columns, x.row(row), factor, shift, bytes.row(row));
  }
}

void quantize_rows(ConstMatrix x, int largest, MatrixView<int8_t> bytes, float* scales) {
  quantize_all(x, largest, 0, bytes, scales);
}

void quantize_rows_unsigned(ConstMatrix x, MatrixView<uint8_t> bytes, float* scales) {
  quantize_all(x, 127, kByteShift, bytes, scales);
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

HWY_EXPORT(quantize_rows);
HWY_EXPORT(quantize_rows_unsigned);
HWY_EXPORT(dequantize);

void quantize_rows(ConstMatrix x, int largest, MatrixView<int8_t> bytes, float* scales) {
  HWY_DYNAMIC_DISPATCH(quantize_rows)(x, largest, bytes, scales);
}

void quantize_rows_unsigned(ConstMatrix x, MatrixView<uint8_t> bytes, float* scales) {
  HWY_DYNAMIC_DISPATCH(quantize_rows_unsigned)(x, bytes, scales);
}

void dequantize(MatrixView<const int32_t> sums, const float* row_scales, const float* column_scales,
                const int32_t* shifts, Matrix y) {
  HWY_DYNAMIC_DISPATCH(dequantize)(sums, row_scales, column_scales, shifts, y);
}

}  // namespace nmt
#endif
