#pragma once

#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/dropout.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// Rows of an embedding matrix by token id, with dropout of whole tokens and of units
/// (nn/dropout.h).
class FusedEmbedding {
 public:
  FusedEmbedding(const Parameter& weight, DropoutSite site) : weight_(weight), site_(site) {}

  /// ids [N] -> [N, E]
  ConstMatrix forward(const std::vector<int64_t>& ids, const Dropout& dropout);

  /// Replaces row `row` of the output by the embedding of token `id`, under the same dropout.
  void replace(int64_t row, int64_t id) { embed(row, {id}); }

  /// Records the gradient [N, E] of the output, which it overwrites, and the ids.
  void backward(const std::vector<int64_t>& ids, Matrix gradient, WeightGradients& gradients) const;

 private:
  void embed(int64_t first, const std::vector<int64_t>& ids);

  Parameter weight_;
  DropoutSite site_;
  Dropout dropout_;
  Buffer output_;
};

}  // namespace nmt
