#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/top_tokens.cpp"
#include "kernels/top_tokens.h"

#include <hwy/foreach_target.h>

#include <algorithm>
#include <cmath>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// Inserts the token and drops the worst; returns the logit that the next one must exceed.
HWY_INLINE float insert(TokenLogit token, size_t count, std::vector<TokenLogit>& best) {
  if (best.size() == count) best.pop_back();
  const auto better = [](float value, const TokenLogit& other) { return value > other.logit; };
  best.insert(std::upper_bound(best.begin(), best.end(), token.logit, better), token);
  return best.size() < count ? kMinusInfinity : best.back().logit;
}

/// Returns the largest logit.
HWY_INLINE float keep_best(float* logits, const float* bias, int64_t size, int32_t first,
                           size_t count, std::vector<TokenLogit>& best) {
  float threshold = kMinusInfinity;
  if (best.size() == count) threshold = best.back().logit;
  vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto logit = hn::Add(hn::LoadU(d, logits + i), hn::LoadU(d, bias + i));
    hn::StoreU(logit, d, logits + i);
    // Most vectors hold nothing that is among the best so far.
    const bool full = best.size() == count;
    if (full && hn::AllFalse(d, hn::Gt(logit, hn::Set(d, threshold)))) return;
    for (int64_t at = i; at < i + static_cast<int64_t>(hn::Lanes(d)); ++at) {
      if (best.size() < count || logits[at] > threshold) {
        threshold = insert({first + static_cast<int32_t>(at), logits[at]}, count, best);
      }
    }
  });
  return best.front().logit;
}

void add_to_top(float* logits, const float* bias, int64_t size, int32_t first, int64_t count,
                TopTokens& row) {
  const float largest = keep_best(logits, bias, size, first, static_cast<size_t>(count), row.best);
  if (largest == kMinusInfinity) return;  // ∞ − ∞ is undefined
  row.sum *= std::exp(row.largest - largest);
  row.largest = largest;
  row.sum += vector_sum(size, [&](auto d, int64_t i) HWY_ATTR {
    return hn::Exp(d, hn::Sub(hn::LoadU(d, logits + i), hn::Set(d, largest)));
  });
}

void add_to_best(const float* logits, const float* bias, int64_t size, int32_t first,
                 TokenLogit& best) {
  vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto logit = hn::Add(hn::LoadU(d, logits + i), hn::LoadU(d, bias + i));
    if (hn::AllFalse(d, hn::Gt(logit, hn::Set(d, best.logit)))) return;
    for (int64_t at = i; at < i + static_cast<int64_t>(hn::Lanes(d)); ++at) {
      const float value = logits[at] + bias[at];
      if (value > best.logit) best = {first + static_cast<int32_t>(at), value};
    }
  });
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(void, add_to_top,
           (float* logits, const float* bias, int64_t size, int32_t first, int64_t count,
            TopTokens& row),
           (logits, bias, size, first, count, row));
NMT_KERNEL(void, add_to_best,
           (const float* logits, const float* bias, int64_t size, int32_t first, TokenLogit& best),
           (logits, bias, size, first, best));

}  // namespace nmt
#endif
