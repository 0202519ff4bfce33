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
  torch::Tensor weights;         // [B] float32, loss weight of each pair; undefined: all 1

  // [B, T, S] float32: reference attention of guided alignment. The row of an aligned target token
  // is uniform over its source tokens and sums to 1; other rows are 0. Undefined: no token is
  // aligned.
  torch::Tensor alignment;

  // [M] int64: indices of the real tokens in target_output, flattened. Undefined on a CPU. Found
  // before the batch moves to a GPU, because finding them there would stall the host.
  torch::Tensor real_targets;

  int64_t num_source_tokens = 0;
  int64_t num_target_tokens = 0;  // EOS included

  // Tokens of the whole batch, if this is one process's share of it; otherwise as above.
  int64_t global_source_tokens = 0;
  int64_t global_target_tokens = 0;

  /// A copy with all tensors but source_lengths on the device.
  Batch to(const torch::Device& device) const;
};

/// A batch of the pairs in the given order. Without pairs the tensors have no rows.
Batch make_batch(const std::vector<ParallelCorpus>& corpora, const std::vector<SizedPair>& pairs);

/// The same from ids in memory.
Batch make_batch(const std::vector<std::vector<int32_t>>& sources,
                 const std::vector<std::vector<int32_t>>& targets);

/// Targets alone; the source tensors stay undefined.
Batch make_target_batch(const std::vector<std::vector<int32_t>>& targets);

/// Sources alone, for translation; the target tensors stay undefined. No source may be empty.
Batch make_source_batch(const std::vector<std::vector<int32_t>>& sources);

/// Row `row` of ids [B, T], a CPU tensor, up to EOS or padding.
std::vector<int32_t> tokens_of(const torch::Tensor& ids, int64_t row);

}  // namespace nmt
