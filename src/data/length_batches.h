#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/settings.h"
#include "data/corpus_mixture.h"

namespace nmt {

/// A pair and its lengths in tokens, without BOS and EOS.
struct SizedPair {
  MixedPair where;
  size_t source_length = 0;
  size_t target_length = 0;
};

/// Pairs of like lengths in batches, so that a batch has little padding.
struct LengthBatches {
  std::vector<SizedPair> pairs;  // longest target first: decoder steps cost most
  std::vector<size_t> starts;    // each batch's first index in `pairs`, then pairs.size()

  size_t size() const { return starts.size() - 1; }
  std::vector<SizedPair> pairs_of(size_t batch) const;
};

/// Sorts the pairs by length and cuts them into batches according to data.batch_type and
/// data.batch_size.
LengthBatches batches_by_length(std::vector<SizedPair> pairs, const DataConfig& config);

/// All pairs of a corpus by length, batch_size of them at a time: for validation.
LengthBatches batches_by_length(const ParallelCorpus& corpus, int64_t batch_size);

/// Cuts an epoch's draws into buckets of about data.bucket_batches batches and each bucket into
/// batches, which are shuffled. A function of the corpora, the settings, seed and epoch alone. One
/// bucket at a time is in memory.
class EpochBuckets {
 public:
  EpochBuckets(const CorpusMixture& corpora, const DataConfig& config, uint64_t seed,
               int64_t epoch);

  int64_t size() const;

  struct Bucket {
    LengthBatches batches;
    std::vector<size_t> order;  // training order, as batch indices
  };

  /// Reads the lengths of its pairs, not their tokens.
  Bucket operator[](int64_t bucket) const;

  /// Batches in the whole epoch; if batch_size counts tokens, extrapolated from the first bucket.
  int64_t num_batches() const;

 private:
  const CorpusMixture& corpora_;
  const DataConfig& config_;
  EpochDraws draws_;
  uint64_t order_seed_;
  int64_t bucket_pairs_;
};

}  // namespace nmt
