#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "data/batch.h"
#include "data/batch_stream.h"
#include "distributed/process_group.h"
#include "nn/seq2seq.h"
#include "train/divergence_guard.h"
#include "train/early_stopping.h"
#include "train/epoch_corpora.h"
#include "train/metrics_log.h"
#include "train/progress.h"
#include "train/runs/checkpoint_keeper.h"
#include "train/runs/run_origin.h"
#include "train/schedule.h"
#include "train/steps/training_step.h"
#include "train/steps/weight_average.h"
#include "train/training_inputs.h"
#include "train/validation.h"

namespace nmt {

struct RunState;

/// How a run ended.
struct TrainingOutcome {
  int64_t updates = 0;
  int64_t skipped_updates = 0;  // of those, for a gradient that was not finite
  int64_t epochs = 0;           // begun
  double minutes = 0.0;
  std::string stop_reason;
  bool finished = false;  // not just interrupted
  bool usable = true;     // some validation was better than guessing, or there was none
  double lowest_loss = std::numeric_limits<double>::infinity();  // of all validations
  int64_t best_update = 0;
  std::optional<ValidationResult> best;
};

/// The training loop: epochs of batches, updates, validations, checkpoints, until a limit is
/// reached, validation stalls or a signal comes. It knows nothing of files of text.
///
/// Between two updates all that it will do depends on what save() writes, so that a run that is
/// killed and restored ends with the same weights, bit for bit, as one that never stopped.
///
/// Among several processes every one runs a trainer: each takes its share of every batch, all make
/// the same updates and decisions, and the leader alone reports and writes files.
class Trainer {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// `validator` may be null: then nothing is measured and the last state is the model.
  Trainer(const RunOrigin& origin, Seq2Seq model, std::unique_ptr<EpochCorpora> corpora,
          const Validator* validator, const ModelDirectory& directory, torch::Device device,
          const Tokenizers& tokenizers, ProcessGroup& peers);

  /// Goes on from a saved state instead of the beginning. Throws Error on one that does not fit.
  void restore(const RunState& state);

  /// Trains. After `pause_after` updates it ends as if a signal had come. Disks that are full or
  /// cannot be written to are complained of and tried again; throws Error when the model directory
  /// is gone or training has diverged, and PeersLost; the leader has saved what there was by then.
  TrainingOutcome run(int64_t pause_after = kNever);

  /// Replaces the training state in the model directory; the leader's alone. Throws Error.
  void save();

  int64_t updates() const { return outcome_.updates; }

  /// What ends the run where it stands; empty when it goes on.
  std::string reason_to_stop() const;

 private:
  void train_to_the_end();
  double agree(double loss = 0.0);
  void plan_epoch(const StreamPosition& from = {});
  bool begin_epoch();
  void update();
  std::unique_ptr<TrainingStep> new_step();
  std::vector<Batch> next_batches();
  bool move_weights(const std::vector<Batch>& batches, double learning_rate);
  void roll_back();
  TrainingProgress progress() const;
  void report();
  bool validate();
  void end_validation();
  void judge(const ValidationResult& result);
  void show_samples(const ValidationResult& result);
  bool save_due() const;
  void save_checkpoint();
  void save_or_warn(const std::function<void()>& save_something);
  double seconds() const;
  std::map<std::string, std::string> metadata() const;

  RunOrigin origin_;
  const Settings& settings_;
  Seq2Seq model_;
  std::unique_ptr<EpochCorpora> corpora_;
  const Validator* validator_;
  ModelDirectory directory_;
  torch::Device device_;
  Tokenizers tokenizers_;
  ProcessGroup& peers_;
  std::unique_ptr<TrainingStep> step_;
  std::unique_ptr<WeightAverage> average_;  // null without train.ema_decay
  DivergenceGuard guard_;
  LearningRateSchedule schedule_;
  EarlyStopping early_stopping_;
  CheckpointKeeper checkpoints_;
  MetricsLog metrics_;
  ProgressDisplay display_;

  TrainingOutcome outcome_;
  std::unique_ptr<BatchStream> stream_;  // of the epoch; none between two epochs
  StreamPosition update_began_at_;
  std::optional<StreamPosition> undone_update_;  // where one began that was cut off
  int64_t last_validation_ = 0;
  bool validation_due_ = false;

  // Since the last report.
  double loss_sum_ = 0.0;
  int64_t source_tokens_ = 0;
  int64_t target_tokens_ = 0;
  double gradient_norm_ = 0.0;
  double reported_seconds_ = 0.0;

  // What is not saved.
  std::chrono::steady_clock::time_point started_;
  bool interrupted_ = false;     // one of the processes
  double agreed_seconds_ = 0.0;  // the leader's
  int64_t updates_per_epoch_ = 0;
  int64_t pause_after_ = kNever;
  bool restored_ = false;
  bool validated_ = false;    // since the last saving
  int64_t saved_update_ = 0;  // or tried to
  double saved_seconds_ = 0.0;
};

}  // namespace nmt
