#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "data/batch.h"
#include "data/batch_plan.h"
#include "data/parallel_corpus.h"
#include "nn/seq2seq.h"
#include "train/checkpoint_keeper.h"
#include "train/early_stopping.h"
#include "train/metrics_log.h"
#include "train/progress.h"
#include "train/schedule.h"
#include "train/training_step.h"
#include "train/validation.h"

namespace nmt {

/// How a run ended.
struct TrainingOutcome {
  int64_t updates = 0;
  int64_t epochs = 0;  // begun
  double minutes = 0.0;
  std::string stop_reason;
  int64_t best_update = 0;
  std::optional<ValidationResult> best;
};

/// The training loop: epochs of batches, updates, validations, checkpoints, until a limit is
/// reached, validation stalls or a signal comes. It knows nothing of files of text.
class Trainer {
 public:
  /// `validator` may be null: then nothing is measured and the last state is the model. A batch is
  /// shared among `threads`.
  Trainer(const Settings& settings, Seq2Seq model, const ParallelCorpus& corpus,
          const Validator* validator, const ModelDirectory& directory, torch::Device device,
          int threads);

  TrainingOutcome run();

 private:
  void run_epoch();
  void update(const BatchPlan& plan, int64_t first_batch);
  double accumulate_gradients(const std::vector<Batch>& batches);
  void step_optimizer(double learning_rate);
  TrainingProgress progress() const;
  void report();
  void validate();
  void show_samples(const ValidationResult& result);
  std::string reason_to_stop() const;
  double seconds() const;
  std::map<std::string, std::string> metadata() const;

  Settings settings_;
  Seq2Seq model_;
  const ParallelCorpus& corpus_;
  const Validator* validator_;
  torch::Device device_;
  int threads_;
  std::unique_ptr<TrainingStep> step_;
  LearningRateSchedule schedule_;
  EarlyStopping early_stopping_;
  CheckpointKeeper checkpoints_;
  MetricsLog metrics_;
  ProgressDisplay display_;

  std::chrono::steady_clock::time_point started_;
  TrainingOutcome outcome_;
  int64_t updates_per_epoch_ = 0;
  int64_t last_validation_ = 0;
  int64_t failed_updates_ = 0;  // in a row, for a gradient that is not finite

  // Since the last report.
  double loss_sum_ = 0.0;
  int64_t source_tokens_ = 0;
  int64_t target_tokens_ = 0;
  double gradient_norm_ = 0.0;
  double reported_seconds_ = 0.0;
};

}  // namespace nmt
