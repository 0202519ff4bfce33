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

/// Which part of every batch one of several processes or threads has.
struct BatchShare {
  int rank = 0;
  int size = 1;
};

/// Whose a row of a batch is: dealt there and back again, since a batch is sorted by length.
inline int64_t share_of_row(int64_t row, int64_t shares) {
  const int64_t place = row % shares;
  return row / shares % 2 == 0 ? place : shares - 1 - place;
}

/// The share of a batch of these pairs, which knows the tokens of the whole.
Batch make_share(const std::vector<ParallelCorpus>& corpora, const std::vector<SizedPair>& pairs,
                 const BatchShare& share);

/// A stream's position within its epoch.
struct StreamPosition {
  int64_t bucket = 0;
  int64_t batch = 0;  // in the bucket
};

/// The batches of one epoch in the order of training (EpochBuckets), which a thread reads ahead. A
/// function of the corpora, the settings, seed and epoch alone: to go on in the middle, the
/// position is all that need be remembered.
///
/// With a share of several, each batch is the part of the common one that is this process's, the
/// rest of which is not read: sharers have as many batches, some perhaps without a row, and each
/// batch knows the tokens of the common one.
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

  /// Of the batch that next() would return.
  const StreamPosition& position() const { return position_; }

  /// In the whole epoch; about that many where batch_size counts tokens.
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
  int64_t pairs_read_ = 0;  // by the thread

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Item> ready_;
  std::exception_ptr failure_;
  bool finished_ = false;
  bool dismissed_ = false;
  std::thread thread_;
};

}  // namespace nmt
