#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "fused/buffer.h"
#include "kernels/matrix.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// What each token contributes to the gates of a first layer, W_e emb + b: a look-up instead of a
/// product at every step. A row is computed when its token first occurs.
class TokenTable {
 public:
  /// embeddings [V, E], weight [O, E], bias [O] or null; the embeddings and the bias are not
  /// copied.
  TokenTable(ConstMatrix embeddings, ConstMatrix weight, const float* bias);

  /// Computes the rows of these tokens. Any number of threads at once.
  void prepare(const std::vector<int32_t>& tokens);

  /// [O]  of a token passed to prepare()
  const float* row(int32_t token) const { return table_.matrix().row(token); }

 private:
  ConstMatrix embeddings_;
  PackedWeight weight_;
  const float* bias_;
  Buffer table_;  // [V, O]  only pages that are written take memory; huge ones if it is large
  std::vector<std::atomic<bool>> ready_;
  std::mutex mutex_;  // guards writing to table_
};

}  // namespace nmt
