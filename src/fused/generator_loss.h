#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fused/attention.h"
#include "fused/buffer.h"
#include "fused/copying.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"
#include "kernels/part.h"

namespace nmt {

/// Output layer (nn/generator.h), log-softmax, loss (nn/loss.h; kernels/token_loss_row.h) and the
/// gradients of all three, in blocks of rows whose logits stay in cache: the [N, V] matrix is never
/// materialized.
class FusedGeneratorLoss {
 public:
  /// Uses the parameters generator.output and, if the model copies, generator.copy.
  explicit FusedGeneratorLoss(const ParameterTable& parameters);

  /// states [N, H] h̃ of the targets of `share`; both must stay in place until the last block. The
  /// share's weights may still change before the first block. `attention`: what a model copies
  /// from; otherwise unused.
  void begin(ConstMatrix states, const PackedBatch& share, FusedAttention* attention);

  /// The number of blocks.
  int64_t num_blocks() const;

  /// log p(y | x) of each pair of the share, without a gradient. For a model that copies, the rows
  /// must have no further targets (PackedBatch::further_targets).
  std::vector<double> log_probabilities();

  /// Σ −log p(y_t), of the pairs that count, over the block-th of `blocks` equal parts of the rows.
  /// Records the gradients of the weighted loss; they must be summed before the next block. With a
  /// divergence above 0, rows 2i and 2i + 1 are the same token of two copies of a pair, whose
  /// predictions should agree (token_loss_row_pair()); not for a model that copies.
  double run_block(int64_t block, int64_t blocks, float divergence, WeightGradients& gradients);

  /// [N, H]  gradient of the states, after the last block.
  Matrix states_gradient() const { return states_gradient_.matrix(); }

 private:
  Part rows_of_block(int64_t block, int64_t blocks) const;
  Matrix multiply(Part rows);
  template <typename Visit>
  void for_each_further_target(int64_t row, Visit&& visit) const;
  float loss_row(int64_t row, float* logits, int64_t target, TokenWeights weights);

  Parameter weight_;  // [V, H]
  Parameter bias_;    // [1, V]
  std::optional<FusedCopying> copying_;
  ConstMatrix states_;
  const PackedBatch* share_ = nullptr;
  Buffer logits_;
  std::vector<Bfloat16> rounded_;  // the block, where products are in bfloat16
  Buffer states_gradient_;
};

}  // namespace nmt
