#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace nmt {

/// The logit of a token that cannot be chosen.
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

struct TokenLogit {
  int32_t token = 0;
  float logit = 0.0F;
};

/// The best tokens and the softmax denominator of one row of the output layer, accumulated block by
/// block of the vocabulary while the block is in cache.
struct TopTokens {
  std::vector<TokenLogit> best;  // the largest, best first, equal ones in the vocabulary's order
  float largest = kMinusInfinity;
  float sum = 0.0F;  // Σ exp(logit − largest)

  void clear() {
    best.clear();
    largest = kMinusInfinity;
    sum = 0.0F;
  }

  /// Sets log_denominator() after the logits have changed.
  void set_denominator(float log_denominator) {
    largest = log_denominator;
    sum = 1.0F;
  }

  /// log Σ exp(logit), the softmax's denominator.
  float log_denominator() const { return largest + std::log(sum); }
};

/// logits [size] += bias [size], for tokens [first, first + size); adds them to `row`, which keeps
/// the `count` best.
void add_to_top(float* logits, const float* bias, int64_t size, int32_t first, int64_t count,
                TopTokens& row);

/// Likewise for the single best token, without its probability. Logits are unchanged; a bias of −∞
/// excludes a token.
void add_to_best(const float* logits, const float* bias, int64_t size, int32_t first,
                 TokenLogit& best);

}  // namespace nmt
