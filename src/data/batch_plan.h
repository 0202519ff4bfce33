#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/settings.h"
#include "data/parallel_corpus.h"

namespace nmt {

/// The pairs of one batch, as places in the corpus.
struct PairSpan {
  const uint32_t* data = nullptr;
  size_t size = 0;

  const uint32_t* begin() const { return data; }
  const uint32_t* end() const { return data + size; }
};

/// Which pairs form which batch in one epoch.
///
/// All pairs are shuffled and cut into buckets of bucket_batches batches; a bucket is sorted by
/// length and cut into batches, so that a batch has little padding; the batches are shuffled. A
/// function of (seed, epoch) alone: nothing need be remembered to go on in the middle. 4 bytes a
/// pair and 8 a batch.
class BatchPlan {
 public:
  BatchPlan(const ParallelCorpus& corpus, const DataConfig& config, uint64_t seed, int64_t epoch);

  /// All pairs by length, batch_size at a time: for validation.
  static BatchPlan sequential(const ParallelCorpus& corpus, int64_t batch_size);

  int64_t size() const { return static_cast<int64_t>(order_.size()); }
  PairSpan operator[](int64_t batch) const;

 private:
  BatchPlan() = default;
  void cut(const ParallelCorpus& corpus, const DataConfig& config, size_t begin, size_t end);

  std::vector<uint32_t> pairs_;
  std::vector<uint64_t> starts_;  // of each batch in pairs_, and the end
  std::vector<uint32_t> order_;   // batches in the order of training
};

}  // namespace nmt
