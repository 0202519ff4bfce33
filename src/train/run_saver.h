#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "train/runs/checkpoint_keeper.h"
#include "train/runs/run_state.h"
#include "train/training_reporter.h"

namespace nmt {

/// Saves a run's training state, checkpoints and models when they are due, and retries later if the
/// disk is full. Writes nothing unless `active`; only rank 0 is.
class RunSaver {
 public:
  /// `reporter` must outlive it.
  RunSaver(const Settings& settings, const ModelDirectory& directory, TrainingReporter& reporter,
           bool active);

  /// Whether the training state must be saved; after set_due() true until set_saved().
  bool is_due(const RunMoment& now) const;
  void set_due() { due_ = true; }
  void set_saved(const RunMoment& now);

  /// For saves at other times. Use it on rank 0 only, or within save_or_warn().
  CheckpointKeeper& checkpoints() { return checkpoints_; }

  /// Replaces the training state on the disk. Use it on rank 0 only, after
  /// CheckpointKeeper::retry().
  void write_state(const RunState& state);

  /// Calls `save`, which calls write_state(). If it fails and the state on the disk is of an
  /// earlier update, the Error names that update.
  void save_at_end(const RunMoment& now, const std::function<void()>& save);

  /// Calls `save` if active. A full disk may have room later, so an Error only causes a warning,
  /// once until the message changes. Throws Error if the model directory is gone.
  void save_or_warn(const RunMoment& now, const std::function<void()>& save);

  const ModelDirectory& directory() const { return directory_; }

  void restore(const nlohmann::json& checkpoints, const RunMoment& now);

 private:
  const TrainConfig config_;
  ModelDirectory directory_;
  TrainingReporter& reporter_;
  bool active_;
  CheckpointKeeper checkpoints_;
  bool due_ = false;
  int64_t saved_update_ = 0;  // last attempt to save, successful or not
  double saved_seconds_ = 0.0;
  int64_t resumes_from_ = 0;  // update of the training state on the disk
  std::string warned_;        // last warning since then
};

}  // namespace nmt
