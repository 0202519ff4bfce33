#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bfloat16.cpp"
#include "kernels/bfloat16.h"

#include <hwy/foreach_target.h>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// Rounds to nearest even by adding 0x7FFF plus the lowest bit that is kept.
void round_to_bfloat16(ConstMatrix from, Bfloat16Matrix to) {
  for (int64_t row = 0; row < to.rows; ++row) {
    const float* x = from.row(row);
    Bfloat16* y = to.row(row);
    vector_loop(to.columns, [&](auto d, int64_t i) HWY_ATTR {
      const hn::RebindToSigned<decltype(d)> di;
      const hn::Rebind<Bfloat16, decltype(d)> narrow;
      const auto number = hn::LoadU(d, x + i);
      const auto bits = hn::BitCast(hn::RebindToUnsigned<decltype(d)>(), number);
      const hn::RebindToUnsigned<decltype(d)> du;
      const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
      const auto carried = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFF)));
      const auto quiet_nan = hn::Set(du, 0x7FC00000);
      const auto is_number = hn::RebindMask(du, hn::Eq(number, number));
      const auto rounded = hn::IfThenElse(is_number, carried, quiet_nan);
      const auto half = hn::BitCast(di, hn::ShiftRight<16>(rounded));
      hn::StoreU(hn::DemoteTo(narrow, half), narrow, y + i);
    });
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(void, round_to_bfloat16, (ConstMatrix from, Bfloat16Matrix to), (from, to));

}  // namespace nmt
#endif
