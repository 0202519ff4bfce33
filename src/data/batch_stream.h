#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "config/settings.h"
#include "data/batch.h"
#include "data/corpus_mixture.h"
#include "data/length_batches.h"

namespace nmt {

/// The part of every batch that belongs to one of several processes or threads.
struct BatchShare {
  int rank = 0;
  int size = 1;
};

/// The rank that a row belongs to. Rows are dealt 0, 1, …, n−1, n−1, …, 1, 0, …: the batch is
/// sorted by length, and this balances the shares.
inline int64_t share_of_row(int64_t row, int64_t shares) {
  const int64_t place = row % shares;
  return row / shares % 2 == 0 ? place : shares - 1 - place;
}

/// One share of the batch of these pairs, with the token counts of the whole batch.
Batch make_share(const std::vector<ParallelCorpus>& corpora, const std::vector<SizedPair>& pairs,
                 const BatchShare& share);

/// A stream's position within its epoch.
struct StreamPosition {
  int64_t bucket = 0;
  int64_t batch = 0;  // in the bucket
};

/// The batches of one epoch in training order (EpochBuckets), read ahead by a thread. They depend
/// only on the corpora, settings, seed and epoch, so a position is enough to resume.
///
/// With several shares, each batch holds only the rows of this process's share; other rows are not
/// read. All shares have equally many batches, some possibly without rows, and each batch has the
/// token counts of the whole one.
class BatchStream {
 public:
  BatchStream(CorpusMixture corpora, const DataConfig& config, uint64_t seed, int64_t epoch,
              const StreamPosition& from = {}, const BatchShare& share = {});
  ~BatchStream();
  BatchStream(const BatchStream&) = delete;
  BatchStream& operator=(const BatchStream&) = delete;

  /// Whether no batch is left. Waits until that is known.
  bool at_end();

  /// The next batch, unless at_end(). Throws what reading it threw.
  Batch next();

  /// Position of the batch that next() would return.
  const StreamPosition& position() const { return position_; }

  /// Batches in the whole epoch; an estimate if batch_size counts tokens.
  int64_t num_batches() const { return buckets_.num_batches(); }

 private:
  struct Item {
    Batch batch;
    StreamPosition after;
  };

  void produce(StreamPosition from);
  bool push(Item item);
  Batch read(const std::vector<SizedPair>& pairs);

  const CorpusMixture corpora_;
  const DataConfig config_;
  const BatchShare share_;
  const EpochBuckets buckets_;
  StreamPosition position_;
  int64_t pairs_read_ = 0;  // by the thread, since it released pages

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Item> ready_;
  std::exception_ptr failure_;
  bool finished_ = false;
  bool dismissed_ = false;
  std::thread thread_;
};

}  // namespace nmt
