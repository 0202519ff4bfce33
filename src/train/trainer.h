#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "nn/seq2seq.h"
#include "train/early_stopping.h"
#include "train/epoch_batches.h"
#include "train/model_updater.h"
#include "train/run_saver.h"
#include "train/runs/run_state.h"
#include "train/runs/validation_rank.h"
#include "train/time_plan.h"
#include "train/training_outcome.h"
#include "train/training_reporter.h"
#include "train/training_run.h"

namespace nmt {

/// The training loop: epochs, updates and validations, until a limit is reached, validation stalls
/// or a signal arrives.
///
/// Between updates, all future behavior is determined by what save() writes: a run that is killed
/// and restored ends with the same weights, bit for bit, as one that never stopped.
///
/// Every process of a group runs a Trainer: each computes its share of every batch, all make the
/// same updates and decisions, and only rank 0 reports and writes files.
class Trainer {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// `run` must outlive the Trainer; `plan` revises its train.max_updates.
  Trainer(TrainingRun& run, const Seq2Seq& network, const ModelDirectory& directory,
          const TimePlan& plan = {});
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Continues from a saved state. Throws Error on one that does not fit.
  void restore(const RunState& state);

  /// Trains. After `pause_after` updates it stops as if a signal had arrived. If a disk is full or
  /// not writable, warns and retries later. Throws Error if the model directory is gone or training
  /// has diverged, and ProcessLost after rank 0 has saved, as it does if memory runs out while
  /// gradients are computed.
  TrainingOutcome run(int64_t pause_after = kNever);

  /// Replaces the training state in the model directory. Throws Error.
  void save();

  int64_t updates() const { return outcome_.updates; }

  /// What ends the run at this point: a limit, or kInterrupted; empty when it continues.
  std::string reason_to_stop() const;
  static constexpr char kInterrupted[] = "interrupted";

 private:
  void train_until_stopped();
  double synchronize(double loss = 0.0);
  bool begin_epoch();
  void update();
  DeferredNumber accumulate_gradients(const std::vector<Batch>& batches, double scale);
  void apply_update(const std::vector<Batch>& batches);
  void undo_update();
  void finish_update();
  void review_plan();
  bool validate();
  void end_validation();
  void judge(const ValidationResult& result);
  void save_checkpoint();
  void keep_latest();
  void save_or_warn();
  RunState state();
  ValidationRank rank_of(const ValidationResult& result) const;
  TrainingProgress progress() const;
  TrainedAmount done() const { return {outcome_.updates, outcome_.target_tokens}; }
  RunMoment now() const { return {outcome_.updates, outcome_.epochs, seconds()}; }
  double seconds() const;

  TrainingRun& run_;
  const Settings& settings_;
  Seq2Seq network_;
  EpochBatches batches_;
  ModelUpdater updater_;
  EarlyStopping early_stopping_;
  TrainingReporter reporter_;
  RunSaver saver_;
  TimePlan plan_;
  const int64_t configured_updates_;  // train.max_updates in config.yaml

  TrainingOutcome outcome_;
  int64_t last_validation_ = 0;  // update of the last validation
  bool validation_due_ = false;

  /// An update whose result is not known yet: a GPU may still be computing it.
  struct UnfinishedUpdate {
    int64_t update;
    DeferredNumber loss;
    DeferredNumber gradient_norm;
    int64_t source_tokens;
    int64_t target_tokens;
  };
  std::optional<UnfinishedUpdate> unfinished_;  // none in a saved state

  // Not saved.
  std::chrono::steady_clock::time_point started_;
  double synchronized_seconds_ = 0.0;  // rank 0's
  bool interrupted_ = false;           // a process has received a signal
  bool restored_ = false;
  int64_t pause_after_ = kNever;
  int64_t last_update_ = 0;  // of the run, by its limits, as of the latest update
};

}  // namespace nmt
