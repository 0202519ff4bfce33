// Included once for each instruction set by Highway's foreach_target.h, so it has no include guard.
#if defined(NMT_KERNELS_BYTE_PRODUCT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NMT_KERNELS_BYTE_PRODUCT_INL_H
#undef NMT_KERNELS_BYTE_PRODUCT_INL_H
#else
#define NMT_KERNELS_BYTE_PRODUCT_INL_H
#endif

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// Units of 32 bits, each of four bytes: unsigned ones of an input, signed ones of a weight.
using Units = hn::CappedTag<int32_t, 16>;
using UnitVector = hn::Vec<Units>;

constexpr int kRegisters = HWY_TARGET <= HWY_AVX3 ? 32 : 16;

#if HWY_TARGET <= HWY_AVX3
#define NMT_INTRINSIC(name) _mm512_##name
#elif HWY_TARGET == HWY_AVX2
#define NMT_INTRINSIC(name) _mm256_##name
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_SSSE3
#define NMT_INTRINSIC(name) _mm_##name
#endif

#ifndef NMT_INTRINSIC
/// The part of `bits` bits at `shift` of each lane, with its sign.
template <int shift, int bits>
HWY_INLINE UnitVector part(UnitVector v) {
  return hn::ShiftRight<32 - bits>(hn::ShiftLeft<32 - bits - shift>(v));
}
#endif

/// Product for weights of magnitude at most 63: two units at once, whose byte products fit in 16
/// bits when added.
struct PairProduct {
  static constexpr int kUnits = 2;

  /// sum + Σ x w over the four bytes of each lane of every unit.
  static HWY_INLINE UnitVector add(UnitVector sum, const UnitVector* x, const UnitVector* w) {
#ifdef NMT_INTRINSIC
    const auto pairs = NMT_INTRINSIC(add_epi16)(NMT_INTRINSIC(maddubs_epi16)(x[0].raw, w[0].raw),
                                                NMT_INTRINSIC(maddubs_epi16)(x[1].raw, w[1].raw));
    const auto quads = NMT_INTRINSIC(madd_epi16)(pairs, NMT_INTRINSIC(set1_epi16)(1));
    return hn::Add(sum, UnitVector{quads});
#else
    const auto quads = [](UnitVector a, UnitVector b) {
      const auto low =
          hn::Add(hn::Mul(part<0, 8>(a), part<0, 8>(b)), hn::Mul(part<8, 8>(a), part<8, 8>(b)));
      const auto high =
          hn::Add(hn::Mul(part<16, 8>(a), part<16, 8>(b)), hn::Mul(part<24, 8>(a), part<24, 8>(b)));
      return hn::Add(low, high);
    };
    return hn::Add(hn::Add(sum, quads(x[0], w[0])), quads(x[1], w[1]));
#endif
  }
};

#if HWY_TARGET <= HWY_AVX3
/// Product with VNNI. Highway compiles for VNNI only together with extensions that Cascade Lake
/// lacks, hence the assembly.
struct VnniProduct {
  static constexpr int kUnits = 1;

  static HWY_INLINE UnitVector add(UnitVector sum, const UnitVector* x, const UnitVector* w) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(x->raw), "v"(w->raw));
    return sum;
  }
};
#else
using VnniProduct = PairProduct;
#endif

#undef NMT_INTRINSIC

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
