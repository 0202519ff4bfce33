#pragma once

#include <torch/types.h>

#include <cstdint>

namespace nmt {

/// Maximum `count` of best_tokens(); beyond it, sorting is faster.
constexpr int64_t kMaxBestTokens = 32;

/// Finds the `count` best tokens of each row of logits [N, V], with ties in vocabulary order, and
/// the natural-log probabilities of these tokens and of the token `other`. `count` is at most V and
/// kMaxBestTokens.
///
/// Writes all into `found` [2, N, count + 1], int32 on the device of the logits: the tokens, the
/// last of them `other`, then the bits of their log-probabilities, of float32. One tensor, since
/// every copy from a GPU costs time.
void best_tokens(const torch::Tensor& logits, int64_t count, int32_t other,
                 const torch::Tensor& found);

}  // namespace nmt
