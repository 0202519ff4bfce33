#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "data/batch.h"
#include "data/batch_stream.h"
#include "train/inputs/epoch_corpora.h"
#include "train/steps/schedule.h"
#include "train/training_run.h"

namespace nmt {

/// Size of an epoch of so many batches.
EpochSize epoch_size_of(int64_t num_batches, const CorpusMixture& corpora,
                        const TrainConfig& train);

/// The batches of a run, update by update and epoch by epoch. Each of several processes gets its
/// share of every batch.
class EpochBatches {
 public:
  /// `run` must outlive it.
  explicit EpochBatches(const TrainingRun& run);

  /// Opens an epoch, numbered from 1, at position `from`. Throws Error as EpochCorpora does, and
  /// Interrupted on a signal; no epoch is open then.
  void open(int64_t epoch, const StreamPosition& from = {});
  void close() { stream_.reset(); }

  bool is_open() const { return stream_ != nullptr; }

  /// The batches of the next update of the open epoch.
  std::vector<Batch> next();

  /// Closes the epoch if its last update is done; returns whether it did.
  bool close_at_end();

  /// Call when the last update was not applied: position() is then before its batches.
  void undo() { undone_ = last_; }

  /// Position of the next update; the beginning if no epoch is open.
  StreamPosition position() const;

  /// Size of the open epoch, or of the last one.
  const EpochSize& epoch_size() const { return epoch_size_; }

 private:
  const TrainingRun& run_;
  EpochCorpora corpora_;
  std::unique_ptr<BatchStream> stream_;  // null between epochs
  StreamPosition last_;                  // before the last update
  std::optional<StreamPosition> undone_;
  EpochSize epoch_size_;
};

}  // namespace nmt
