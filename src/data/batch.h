#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "data/length_batches.h"
#include "data/parallel_corpus.h"

namespace nmt {

/// Sentence pairs as padded tensors of token ids.
struct Batch {
  torch::Tensor source;          // [B, S] int64, padded with kPadId
  torch::Tensor source_lengths;  // [B]    int64, on the CPU
  torch::Tensor target_input;    // [B, T] int64: BOS y_1 … y_n
  torch::Tensor target_output;   // [B, T] int64: y_1 … y_n EOS
  torch::Tensor weights;         // [B]    float32, of each pair's loss; undefined: all 1

  // [B, T, S] float32: of a target token that is aligned, the attention that its alignment asks
  // for, the same on each of its source tokens, of sum 1; 0 for others. Undefined: none is aligned.
  torch::Tensor alignment;

  int64_t num_source_tokens = 0;
  int64_t num_target_tokens = 0;  // EOS included: what the loss is a mean over

  // Of the whole batch that this is a share of (BatchStream); else the same as the two above.
  int64_t global_source_tokens = 0;
  int64_t global_target_tokens = 0;

  /// A copy with source and targets on the device.
  Batch to(const torch::Device& device) const;
};

/// The pairs in the given order; of none, tensors without rows.
Batch make_batch(const std::vector<ParallelCorpus>& corpora, const std::vector<SizedPair>& pairs);

/// The same from ids in memory.
Batch make_batch(const std::vector<std::vector<int32_t>>& sources,
                 const std::vector<std::vector<int32_t>>& targets);

/// Targets alone; the source tensors stay undefined.
Batch make_target_batch(const std::vector<std::vector<int32_t>>& targets);

/// Sources alone, for translation; the target tensors stay undefined. None may be empty.
Batch make_source_batch(const std::vector<std::vector<int32_t>>& sources);

/// The tokens of row `row` of ids [B, T], on the CPU, without EOS and padding.
std::vector<int32_t> tokens_of(const torch::Tensor& ids, int64_t row);

}  // namespace nmt
