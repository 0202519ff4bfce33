#pragma once

#include <torch/types.h>

#include <cstdint>

namespace nmt {

/// [B, T, H] -> [B, n, T, H/n]: each head's share of the columns. n divides H.
torch::Tensor split_heads(const torch::Tensor& columns, int64_t heads);

/// [B, n, T, d] -> [B, T, n·d]
torch::Tensor join_heads(const torch::Tensor& heads);

struct HeadsOutput {
  torch::Tensor context;  // [B, n, Q, d]
  torch::Tensor weights;  // [B, n, Q, S]
};

/// softmax(Q Kᵀ / √d) V of each head (Vaswani et al. 2017, equation 1). query [B, n, Q, d];
/// keys, values [B, n, S, d]; mask true where nothing may be seen, of a shape that fits
/// [B, n, Q, S], or undefined.
HeadsOutput attend_heads(const torch::Tensor& query, const torch::Tensor& keys,
                         const torch::Tensor& values, const torch::Tensor& mask);

}  // namespace nmt
