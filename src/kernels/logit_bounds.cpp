#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logit_bounds.cpp"
#include "kernels/logit_bounds.h"

#include <hwy/foreach_target.h>

#include <algorithm>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// Exceeds the rounding errors of the bounds themselves and of the sums.
constexpr float kSlack = 1.001F;

void add_argmax_candidates(const float* logits, const float* bias, const LogitErrorBound& error,
                           int64_t size, int32_t first, ArgmaxCandidates& row) {
  float floor = row.floor;
  vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto logit = hn::Add(hn::LoadU(d, logits + i), hn::LoadU(d, bias + i));
    const auto wrong = hn::MulAdd(
        hn::LoadU(d, error.rounding + i), hn::Set(d, kSlack * error.input_norm),
        hn::Mul(hn::LoadU(d, error.norms + i), hn::Set(d, kSlack * error.input_rounding)));
    const auto most = hn::Add(logit, wrong);
    // Most vectors hold no token that can be the likeliest.
    if (hn::AllFalse(d, hn::Ge(most, hn::Set(d, floor)))) return;
    floor = std::max(floor, hn::GetLane(hn::MaxOfLanes(d, hn::Sub(logit, wrong))));
    HWY_ALIGN float values[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(most, d, values);
    for (size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      if (values[lane] < floor) continue;
      row.tokens.push_back(
          {first + static_cast<int32_t>(i + static_cast<int64_t>(lane)), values[lane]});
    }
  });
  row.floor = floor;
}

float dot_product(const float* x, const float* y, int64_t size) { return vector_dot(size, x, y); }

float largest_magnitude(const float* x, int64_t size) { return vector_largest_magnitude(size, x); }

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(void, add_argmax_candidates,
           (const float* logits, const float* bias, const LogitErrorBound& error, int64_t size,
            int32_t first, ArgmaxCandidates& row),
           (logits, bias, error, size, first, row));
NMT_KERNEL(float, dot_product, (const float* x, const float* y, int64_t size), (x, y, size));
NMT_KERNEL(float, largest_magnitude, (const float* x, int64_t size), (x, size));

}  // namespace nmt
#endif
