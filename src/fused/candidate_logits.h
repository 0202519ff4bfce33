#pragma once

#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/inference_model.h"
#include "kernels/selected_outputs.h"
#include "kernels/top_tokens.h"

namespace nmt {

/// Logits of only the candidates (DecoderRow::candidates) of a step's rows, for one thread; all
/// other logits are −∞.
class CandidateLogits {
 public:
  /// attentional_hidden [N, H] of the rows, which all have candidates.
  void compute(const PackedOutputLayer& output, ConstMatrix attentional_hidden,
               const std::vector<DecoderRow>& rows);

  const std::vector<int32_t>& tokens(int64_t row) const {
    return *tokens_[static_cast<size_t>(row)];
  }
  /// One for each of tokens(row).
  const float* logits(int64_t row) const { return logits_.matrix().row(row); }

  void find_top(int64_t row, int64_t num_best, TopTokens& top);
  float logit(int64_t row, int32_t token) const;
  /// Writes all logits of a row to `to` [vocabulary_size].
  void copy(int64_t row, int64_t vocabulary_size, float* to) const;

 private:
  Buffer logits_;  // [N, most candidates]
  std::vector<const std::vector<int32_t>*> tokens_;
  std::vector<OutputSelection> selections_;
  std::vector<float> no_bias_;
};

}  // namespace nmt
