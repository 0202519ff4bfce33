#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/top_tokens.cpp"
#include "kernels/top_tokens.h"

#include <hwy/foreach_target.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// Puts the token in its place and drops the worst; returns what the next one has to beat.
HWY_INLINE float insert(int32_t token, float logit, size_t count, std::vector<TokenLogit>& top) {
  if (top.size() == count) top.pop_back();
  const auto better = [](float value, const TokenLogit& other) { return value > other.logit; };
  top.insert(std::upper_bound(top.begin(), top.end(), logit, better), {token, logit});
  return top.size() < count ? -std::numeric_limits<float>::infinity() : top.back().logit;
}

float top_tokens(float* logits, const float* bias, int64_t vocabulary_size, int64_t count,
                 std::vector<TokenLogit>& top) {
  const auto wanted = static_cast<size_t>(std::min(count, vocabulary_size));
  top.clear();
  float threshold = -std::numeric_limits<float>::infinity();
  vector_loop(vocabulary_size, [&](auto d, int64_t i) HWY_ATTR {
    const auto logit = hn::Add(hn::LoadU(d, logits + i), hn::LoadU(d, bias + i));
    hn::StoreU(logit, d, logits + i);
    // Few vectors hold anything that is among the best so far.
    const bool full = top.size() == wanted;
    if (full && hn::AllFalse(d, hn::Gt(logit, hn::Set(d, threshold)))) return;
    for (int64_t at = i; at < i + static_cast<int64_t>(hn::Lanes(d)); ++at) {
      if (top.size() < wanted || logits[at] > threshold) {
        threshold = insert(static_cast<int32_t>(at), logits[at], wanted, top);
      }
    }
  });
  const float largest = top.front().logit;
  const float sum = vector_sum(vocabulary_size, [&](auto d, int64_t i) HWY_ATTR {
    return hn::Exp(d, hn::Sub(hn::LoadU(d, logits + i), hn::Set(d, largest)));
  });
  return largest + std::log(sum);
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(top_tokens);

float top_tokens(float* logits, const float* bias, int64_t vocabulary_size, int64_t count,
                 std::vector<TokenLogit>& top) {
  return HWY_DYNAMIC_DISPATCH(top_tokens)(logits, bias, vocabulary_size, count, top);
}

}  // namespace nmt
#endif
