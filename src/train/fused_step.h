#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/seq2seq.h"
#include "support/thread_team.h"
#include "train/flat_parameters.h"
#include "train/fused_optimizer.h"
#include "train/training_step.h"

namespace nmt {

FusedSeq2SeqOptions fused_options(const Seq2SeqOptions& options);

/// The fused path. Every thread takes an equal share of a batch's sentences and sums gradients of
/// its own: threads that share one small product spend their time waiting for each other. The sum
/// over threads is always taken in the same order, so a run is a function of its seed and threads.
class FusedStep : public TrainingStep {
 public:
  FusedStep(const Seq2Seq& model, const TrainConfig& config, int threads);

  double add_gradient(const Batch& batch, double scale) override;
  double update(double learning_rate) override;

 private:
  double label_smoothing_;
  double dropout_;
  uint64_t seed_;
  uint64_t batches_seen_ = 0;

  ThreadTeam team_;
  FlatParameters parameters_;
  std::vector<Buffer> gradients_;  // of each thread, flat
  std::vector<float*> gradient_data_;
  std::vector<std::unique_ptr<FusedSeq2Seq>> models_;  // of each thread
  FusedOptimizer optimizer_;
};

}  // namespace nmt
