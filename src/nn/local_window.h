#pragma once

#include "nn/attention.h"

namespace nmt {

/// The sentence lengths S, [B|1, 1, 1] float32.
torch::Tensor sentence_lengths(const AttentionMemory& memory);

/// The tokens s = 1 … S around positions p_t of local attention.
struct LocalWindow {
  torch::Tensor distances;  // [B, Q, S]  s − p_t
  torch::Tensor masked;     // [B, Q, S]  true for padding and for words more than D from p_t
};

/// positions p_t [B, Q, 1]
LocalWindow window_around(const torch::Tensor& positions, const AttentionMemory& memory);

}  // namespace nmt
