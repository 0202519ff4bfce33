#pragma once

#include <cstdint>
#include <vector>

namespace nmt {

struct TokenLogit {
  int32_t token = 0;
  float logit = 0.0F;
};

/// One row of the output layer: logits [V] += bias [V]; `top` gets its `count` largest, best first,
/// equal ones in the order of the vocabulary. Returns log Σ exp(logit), the softmax's denominator.
float top_tokens(float* logits, const float* bias, int64_t vocabulary_size, int64_t count,
                 std::vector<TokenLogit>& top);

}  // namespace nmt
