#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "nn/seq2seq.h"
#include "train/runs/checkpoint_keeper.h"
#include "train/runs/run_state.h"
#include "train/training_reporter.h"

namespace nmt {

/// Saves a run: its training state, checkpoints and models, when they are due and again later where
/// a disk is full. Where it is not `active`, in all processes but rank 0, it writes nothing.
class RunSaver {
 public:
  /// `reporter` must outlive it.
  RunSaver(const Settings& settings, const ModelDirectory& directory, TrainingReporter& reporter,
           bool active);

  /// Whether the training state must be saved; always true after a validation.
  bool is_due(const RunMoment& now) const;
  void set_validated() { validated_ = true; }
  void set_saved(const RunMoment& now);

  /// What is saved when the caller decides: rank 0 alone, or within save_or_warn().
  CheckpointKeeper& checkpoints() { return checkpoints_; }

  /// Replaces the training state by that of the function, which is called where it is saved, after
  /// CheckpointKeeper::retry() with the model.
  void save_state(const Seq2Seq& model, const std::function<RunState()>& state);

  /// Calls a function that saves. A disk that is full may have room later: warns of an Error.
  /// Throws Error when the model directory is gone.
  void save_or_warn(const RunMoment& now, const std::function<void()>& save);

  const ModelDirectory& directory() const { return directory_; }

  void restore(const nlohmann::json& checkpoints, const RunMoment& now);

 private:
  const TrainConfig config_;
  ModelDirectory directory_;
  TrainingReporter& reporter_;
  bool active_;
  CheckpointKeeper checkpoints_;
  bool validated_ = false;    // since the last saving
  int64_t saved_update_ = 0;  // or tried to
  double saved_seconds_ = 0.0;
};

}  // namespace nmt
