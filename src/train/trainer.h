#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
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
#include "train/time_plan.h"
#include "train/training_outcome.h"
#include "train/training_reporter.h"
#include "train/training_run.h"

namespace nmt {

/// The training loop: epochs, updates and validations, until a limit is reached, validation stalls
/// or a signal comes.
///
/// Between updates, all future behavior is determined by what save() writes: a run that is killed
/// and restored ends with the same weights, bit for bit, as one that never stopped.
///
/// Every process of a group runs a trainer: each takes its share of every batch, all make the same
/// updates and decisions, and rank 0 alone reports and writes files.
class Trainer {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// `run` must outlive it; the plan sets its train.max_updates.
  Trainer(TrainingRun& run, const Seq2Seq& network, const ModelDirectory& directory,
          const TimePlan& plan = {});
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Continues from a saved state. Throws Error on one that does not fit.
  void restore(const RunState& state);

  /// Trains. After `pause_after` updates it ends as if a signal had come. Warns of disks that are
  /// full or cannot be written to, and tries again; throws Error when the model directory is gone
  /// or training has diverged, and ProcessLost, after rank 0 has saved.
  TrainingOutcome run(int64_t pause_after = kNever);

  /// Replaces the training state in the model directory. Throws Error.
  void save();

  int64_t updates() const { return outcome_.updates; }

  /// What ends the run at this point; empty when it continues.
  std::string reason_to_stop() const;

 private:
  void train_until_stopped();
  double synchronize(double loss = 0.0);
  bool begin_epoch();
  void update();
  void apply_update(const std::vector<Batch>& batches);
  void review_plan();
  bool validate();
  void end_validation();
  void judge(const ValidationResult& result);
  void save_checkpoint();
  void keep_latest();
  RunState state();
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
  int64_t last_validation_ = 0;  // its update
  bool validation_due_ = false;

  // Not saved.
  std::chrono::steady_clock::time_point started_;
  double synchronized_seconds_ = 0.0;  // rank 0's
  bool interrupted_ = false;           // one of the processes
  bool restored_ = false;
  int64_t pause_after_ = kNever;
  int64_t last_update_ = 0;  // of the run, by its limits, as the latest update expects it
};

}  // namespace nmt
