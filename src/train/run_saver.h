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
  /// Where a run stands; what is saved says so.
  struct Moment {
    int64_t update = 0;
    int64_t epoch = 0;
    double seconds = 0.0;
  };

  /// `reporter` must outlive it.
  RunSaver(const Settings& settings, const ModelDirectory& directory, TrainingReporter& reporter,
           bool active);

  /// Whether the training state must be saved; always true after a validation.
  bool is_due(const Moment& now) const;
  void set_validated() { validated_ = true; }
  void set_saved(const Moment& now);

  /// Saves the weights if they are among the best. What cannot be saved, save_unsaved() tries
  /// again, with a model of the same kind to write it from; a training state that counts on it must
  /// wait.
  void offer_best(const Seq2Seq& model, const Moment& now, double value);
  void save_unsaved(const Seq2Seq& model);

  /// Saves them as the latest checkpoint, if such are kept.
  void keep_latest(const Seq2Seq& model, const Moment& now);

  /// Saves them as the run's last, and as CheckpointKeeper::save_last says.
  void save_last(const Seq2Seq& model, const Moment& now, bool is_model);

  /// Replaces the training state by that of the function, which is called where it is saved.
  void save_state(const std::function<RunState()>& state);

  /// Calls a function that saves. A disk that is full may have room later: warns of an Error.
  /// Throws Error when the model directory is gone.
  void save_or_warn(const Moment& now, const std::function<void()>& save);

  const ModelDirectory& directory() const { return directory_; }

  nlohmann::json checkpoints() const { return checkpoints_.to_json(); }
  void restore(const nlohmann::json& checkpoints, const Moment& now);

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
