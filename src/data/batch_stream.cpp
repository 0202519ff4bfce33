#include "data/batch_stream.h"

#include <utility>

#include "threads/worker_threads.h"

namespace nmt {
namespace {

constexpr size_t kBatchesAhead = 16;
constexpr int64_t kPairsKept = 512;  // pages are released after this many pairs

}  // namespace

BatchStream::BatchStream(CorpusMixture corpora, const DataConfig& config, uint64_t seed,
                         int64_t epoch, const StreamPosition& from, const BatchShare& share)
    : corpora_(std::move(corpora)),
      config_(config),
      share_(share),
      buckets_(corpora_, config_, seed, epoch),
      position_(from),
      thread_(start_thread([this, from] { produce(from); })) {}

BatchStream::~BatchStream() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    dismissed_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool BatchStream::at_end() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !ready_.empty() || failure_ || finished_; });
  return ready_.empty() && !failure_;
}

Batch BatchStream::next() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !ready_.empty() || failure_; });
  if (ready_.empty()) std::rethrow_exception(failure_);
  auto item = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  position_ = item.after;
  return std::move(item.batch);
}

void BatchStream::produce(StreamPosition from) {
  try {
    bool wanted = true;
    for (; wanted && from.bucket < buckets_.size(); from = {from.bucket + 1, 0}) {
      const auto bucket = buckets_[from.bucket];
      const auto batches = static_cast<int64_t>(bucket.order.size());
      for (; wanted && from.batch < batches; ++from.batch) {
        const bool last = from.batch + 1 == batches;
        const auto after =
            last ? StreamPosition{from.bucket + 1, 0} : StreamPosition{from.bucket, from.batch + 1};
        const size_t batch = bucket.order[static_cast<size_t>(from.batch)];
        wanted = push({read(bucket.batches.pairs_of(batch)), after});
      }
    }
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failure_ = std::current_exception();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

/// Waits for space. False if the stream is being destroyed.
bool BatchStream::push(Item item) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return dismissed_ || ready_.size() < kBatchesAhead; });
  ready_.push_back(std::move(item));
  changed_.notify_all();
  return !dismissed_;
}

Batch make_share(const std::vector<ParallelCorpus>& corpora, const std::vector<SizedPair>& pairs,
                 const BatchShare& share) {
  std::vector<SizedPair> rows;
  for (size_t row = 0; row < pairs.size(); ++row) {
    if (share_of_row(static_cast<int64_t>(row), share.size) != share.rank) continue;
    rows.push_back(pairs[row]);
  }
  auto batch = make_batch(corpora, rows);
  batch.global_source_tokens = 0;
  batch.global_target_tokens = 0;
  for (const auto& pair : pairs) {
    batch.global_source_tokens += static_cast<int64_t>(pair.source_length);
    batch.global_target_tokens += static_cast<int64_t>(pair.target_length) + 1;
  }
  return batch;
}

Batch BatchStream::read(const std::vector<SizedPair>& pairs) {
  auto batch = make_share(corpora_.corpora(), pairs, share_);
  pairs_read_ += batch.source.size(0);
  if (pairs_read_ >= kPairsKept) {
    corpora_.release_pages();
    pairs_read_ = 0;
  }
  return batch;
}

}  // namespace nmt
