#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

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

  /// Whether the training state must be saved; always true after set_due(), until it is.
  bool is_due(const RunMoment& now) const;
  void set_due() { due_ = true; }
  void set_saved(const RunMoment& now);

  /// What is saved when the caller decides: rank 0 alone, or within save_or_warn().
  CheckpointKeeper& checkpoints() { return checkpoints_; }

  /// Replaces the training state by that of the function, which is called where it is saved, after
  /// CheckpointKeeper::retry() with the model.
  void save_state(const Seq2Seq& model, const std::function<RunState()>& state);

  /// Calls a function that calls save_state(). Throws Error that names the update whose training
  /// state is on the disk, where that is not the last.
  void save_at_end(const RunMoment& now, const std::function<void()>& save);

  /// Calls a function that saves. A disk that is full may have room later: warns of an Error, once
  /// until another file fails or for another reason. Throws Error when the model directory is gone.
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
  int64_t saved_update_ = 0;  // or tried to
  double saved_seconds_ = 0.0;
  int64_t resumes_from_ = 0;  // update of the training state on the disk
  std::string warned_;        // since that was saved
};

}  // namespace nmt
