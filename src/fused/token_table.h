#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "fused/buffer.h"
#include "kernels/matrix.h"

namespace nmt {

/// What each target token gives to the gates of the decoder's first layer, W_e emb + b: a look-up
/// in place of a product at every step. Rows are made when a token is first met.
class TokenTable {
 public:
  /// embeddings [V, E], weight [O, E] and bias [O] have to stay.
  TokenTable(ConstMatrix embeddings, ConstMatrix weight, const float* bias);

  /// Makes the rows of these tokens; any number of threads at once.
  void prepare(const std::vector<int32_t>& tokens);

  /// [O]  of a token that was prepared
  const float* row(int32_t token) const { return table_.matrix().row(token); }

 private:
  ConstMatrix embeddings_;
  ConstMatrix weight_;
  const float* bias_;
  Buffer table_;  // [V, O]  memory that is never touched takes no room
  std::vector<std::atomic<bool>> ready_;
  std::mutex making_;
};

}  // namespace nmt
