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

/// The batches of a run, one update and one epoch after another. Among several processes each gets
/// its share of every batch.
class EpochBatches {
 public:
  /// `run` must outlive it.
  explicit EpochBatches(const TrainingRun& run);

  /// Opens an epoch, from 1, at its beginning or where it was left. Throws Error as EpochCorpora
  /// does; Interrupted on a signal, and then no epoch is open.
  void open(int64_t epoch, const StreamPosition& from = {});
  void close() { stream_.reset(); }

  bool is_open() const { return stream_ != nullptr; }

  /// The batches of the next update of the open epoch.
  std::vector<Batch> next();

  /// Closes the epoch after its last update; true if this was it.
  bool close_at_end();

  /// The batches of the last update were not learned from.
  void undo() { undone_ = last_; }

  /// Of the next update; the beginning where no epoch is open.
  StreamPosition position() const;

  /// Of the epoch that is open or was last.
  const EpochSize& epoch_size() const { return epoch_size_; }

 private:
  const TrainingRun& run_;
  EpochCorpora corpora_;
  std::unique_ptr<BatchStream> stream_;  // null between two epochs
  StreamPosition last_;                  // of the last update
  std::optional<StreamPosition> undone_;
  EpochSize epoch_size_;
};

}  // namespace nmt
