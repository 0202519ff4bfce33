#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise.cpp"
#include "kernels/elementwise.h"

#include <hwy/foreach_target.h>

#include <algorithm>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// to_ij = body(tag, from_ij, to_ij)
template <typename Body>
HWY_INLINE void combine(ConstMatrix from, Matrix to, Body&& body) {
  for (int64_t row = 0; row < to.rows; ++row) {
    const float* x = from.row(row);
    float* y = to.row(row);
    vector_loop(to.columns, [&](auto d, int64_t i) HWY_ATTR {
      hn::StoreU(body(d, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
    });
  }
}

void add(ConstMatrix from, Matrix to) {
  combine(from, to, [](auto, auto x, auto y) HWY_ATTR { return hn::Add(y, x); });
}

void add_column_sums(ConstMatrix matrix, float* sums) {
  for (int64_t row = 0; row < matrix.rows; ++row) {
    const float* x = matrix.row(row);
    vector_loop(matrix.columns, [&](auto d, int64_t i) HWY_ATTR {
      hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::LoadU(d, x + i)), d, sums + i);
    });
  }
}

/// values_ij = body(tag, values_ij, bias_j)
template <typename Body>
HWY_INLINE void combine_with_bias(Matrix values, const float* bias, Body&& body) {
  for (int64_t row = 0; row < values.rows; ++row) {
    float* x = values.row(row);
    vector_loop(values.columns, [&](auto d, int64_t i) HWY_ATTR {
      hn::StoreU(body(d, hn::LoadU(d, x + i), hn::LoadU(d, bias + i)), d, x + i);
    });
  }
}

void add_bias(Matrix values, const float* bias) {
  combine_with_bias(values, bias, [](auto, auto x, auto b) HWY_ATTR { return hn::Add(x, b); });
}

void relu_with_bias(Matrix values, const float* bias) {
  combine_with_bias(values, bias, [](auto d, auto x, auto b) HWY_ATTR {
    return hn::Max(hn::Zero(d), hn::Add(x, b));
  });
}

void relu_backward(ConstMatrix output, Matrix gradient) {
  combine(output, gradient, [](auto d, auto y, auto dy) HWY_ATTR {
    return hn::IfThenElseZero(hn::Gt(y, hn::Zero(d)), dy);
  });
}

void tanh_with_bias(Matrix values, const float* bias) {
  combine_with_bias(values, bias,
                    [](auto d, auto x, auto b) HWY_ATTR { return hn::Tanh(d, hn::Add(x, b)); });
}

void tanh_backward(ConstMatrix output, Matrix gradient) {
  combine(output, gradient, [](auto d, auto y, auto dy) HWY_ATTR {
    return hn::Mul(dy, hn::NegMulAdd(y, y, hn::Set(d, 1.0F)));
  });
}

/// The finalizer of MurmurHash3 (Appleby 2011): every bit of x affects every bit of the result.
template <class D, class V>
HWY_INLINE V scramble(D d, V x) {
  x = hn::Xor(x, hn::ShiftRight<16>(x));
  x = hn::Mul(x, hn::Set(d, 0x85EBCA6BU));
  x = hn::Xor(x, hn::ShiftRight<13>(x));
  x = hn::Mul(x, hn::Set(d, 0xC2B2AE35U));
  return hn::Xor(x, hn::ShiftRight<16>(x));
}

void drop_out(uint64_t seed, float probability, int64_t first_row, Matrix values) {
  const auto low = static_cast<uint32_t>(seed);
  const auto high = static_cast<uint32_t>(seed >> 32);
  const float kept = 1.0F / (1.0F - probability);
  for (int64_t row = 0; row < values.rows; ++row) {
    float* x = values.row(row);
    const auto first = static_cast<uint32_t>((first_row + row) * values.columns);
    vector_loop(values.columns, [&](auto d, int64_t i) HWY_ATTR {
      const hn::RebindToUnsigned<decltype(d)> du;
      const hn::RebindToSigned<decltype(d)> di;
      const auto position = hn::Iota(du, first + static_cast<uint32_t>(i));
      auto bits = scramble(du, hn::Add(position, hn::Set(du, low)));
      bits = scramble(du, hn::Xor(bits, hn::Set(du, high)));
      // A float represents 24 bits exactly.
      const auto uniform =
          hn::Mul(hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<8>(bits))), hn::Set(d, 0x1p-24F));
      const auto keep = hn::Ge(uniform, hn::Set(d, probability));
      const auto scaled = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, kept));
      hn::StoreU(hn::IfThenElseZero(keep, scaled), d, x + i);
    });
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

void copy_rows(ConstMatrix from, Matrix to) {
  for (int64_t row = 0; row < from.rows; ++row) {
    std::copy_n(from.row(row), from.columns, to.row(row));
  }
}

NMT_KERNEL(void, add, (ConstMatrix from, Matrix to), (from, to));
NMT_KERNEL(void, add_column_sums, (ConstMatrix matrix, float* sums), (matrix, sums));
NMT_KERNEL(void, add_bias, (Matrix values, const float* bias), (values, bias));
NMT_KERNEL(void, relu_with_bias, (Matrix values, const float* bias), (values, bias));
NMT_KERNEL(void, relu_backward, (ConstMatrix output, Matrix gradient), (output, gradient));
NMT_KERNEL(void, tanh_with_bias, (Matrix values, const float* bias), (values, bias));
NMT_KERNEL(void, tanh_backward, (ConstMatrix output, Matrix gradient), (output, gradient));
NMT_KERNEL(void, drop_out, (uint64_t seed, float probability, int64_t first_row, Matrix values),
           (seed, probability, first_row, values));

}  // namespace nmt
#endif
