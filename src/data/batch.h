#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "data/batch_plan.h"
#include "data/parallel_corpus.h"

namespace nmt {

/// Sentence pairs as padded tensors of token ids.
struct Batch {
  torch::Tensor source;          // [B, S] int64, padded with kPadId
  torch::Tensor source_lengths;  // [B]    int64, on the CPU
  torch::Tensor target_input;    // [B, T] int64: BOS y_1 … y_n
  torch::Tensor target_output;   // [B, T] int64: y_1 … y_n EOS
  int64_t num_source_tokens = 0;
  int64_t num_target_tokens = 0;     // EOS included: what the loss is a mean over
  int64_t global_source_tokens = 0;  // of the whole batch, where this is one process's share
  int64_t global_target_tokens = 0;

  /// A copy with source and targets on the device.
  Batch to(const torch::Device& device) const;
};

/// Which part of every batch is one process's.
struct BatchShare {
  int rank = 0;
  int size = 1;
};

/// The pairs in the given order, or a share of them: there and back again, since a batch is sorted
/// by length. Only the share's tokens are read; it may have no pair.
Batch make_batch(const ParallelCorpus& corpus, const PairSpan& pairs, const BatchShare& share = {});

/// Which of `shares` the row-th sentence of a batch that is sorted by length belongs to.
int64_t share_of_row(int64_t row, int64_t shares);

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
