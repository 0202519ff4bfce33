#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/top_tokens.h"

namespace nmt {

/// Which tokens of a row may be its likeliest, as known from logits that are not exact.
struct LogitScreen {
  std::vector<TokenLogit> possible;                       // with the most that their logit may be
  float floor = -std::numeric_limits<float>::infinity();  // the least that the largest logit may be

  void clear() {
    possible.clear();
    floor = -std::numeric_limits<float>::infinity();
  }
};

/// By how much the logits of some tokens may be wrong: those of a product ŵ·x̂ for w·x, where
/// |w·x − ŵ·x̂| ≤ ‖w − ŵ‖ ‖x‖ + ‖ŵ‖ ‖x − x̂‖.
struct LogitError {
  const float* rounding = nullptr;  // ‖w − ŵ‖ of each token
  const float* norms = nullptr;     // at least ‖ŵ‖
  float input_norm = 0.0F;          // ‖x‖
  float input_rounding = 0.0F;      // at least ‖x − x̂‖
};

/// Takes the logits [size] of the vocabulary's tokens from `first` on into the row's screen. A bias
/// of −∞ shuts a token out.
void add_to_screen(const float* logits, const float* bias, const LogitError& error, int64_t size,
                   int32_t first, LogitScreen& row);

/// Σ x_i²
float squared_norm(const float* x, int64_t size);

/// Σ x_i y_i
float dot_product(const float* x, const float* y, int64_t size);

/// max |x_i|
float largest_magnitude(const float* x, int64_t size);

}  // namespace nmt
