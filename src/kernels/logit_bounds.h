#pragma once

#include <cstdint>
#include <vector>

#include "kernels/top_tokens.h"

namespace nmt {

/// The tokens of a row that can be its likeliest, judged by approximate logits.
struct ArgmaxCandidates {
  std::vector<TokenLogit> tokens;  // with the upper bound of their logit
  float floor = kMinusInfinity;    // lower bound of the largest logit

  void clear() {
    tokens.clear();
    floor = kMinusInfinity;
  }
};

/// Bounds the error of the approximate logits ŵ·x̂ of w·x: |w·x − ŵ·x̂| ≤ ‖w − ŵ‖ ‖x‖ + ‖ŵ‖ ‖x −
/// x̂‖.
struct LogitErrorBound {
  const float* rounding = nullptr;  // ‖w − ŵ‖ of each token
  const float* norms = nullptr;     // at least ‖ŵ‖
  float input_norm = 0.0F;          // ‖x‖
  float input_rounding = 0.0F;      // at least ‖x − x̂‖
};

/// Adds the tokens [first, first + size) of the vocabulary that can be the likeliest, given their
/// approximate logits. A bias of −∞ excludes a token.
void add_argmax_candidates(const float* logits, const float* bias, const LogitErrorBound& error,
                           int64_t size, int32_t first, ArgmaxCandidates& row);

/// Σ x_i y_i
float dot_product(const float* x, const float* y, int64_t size);

/// max |x_i|
float largest_magnitude(const float* x, int64_t size);

}  // namespace nmt
