#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/gradient.h"
#include "threads/thread_team.h"
#include "train/steps/flat_parameters.h"
#include "train/steps/fused_optimizer.h"
#include "train/steps/training_step.h"

namespace nmt {

/// The fused path.
class FusedStep : public TrainingStep {
 public:
  FusedStep(const Seq2Seq& model, const TrainConfig& config, int threads,
            ProcessGroup* peers = nullptr);

  double add_gradient(const Batch& batch, double scale) override;
  double update(double learning_rate) override;
  void forget_gradient() override;
  void save_state(TensorFile& state) const override;
  void load_state(const TensorFile& state) override;

  /// The threads that compute.
  ThreadTeam& team() { return team_; }

 protected:
  void foresee(const std::vector<Batch>& batches) override;

 private:
  void exchange_among(ProcessGroup& peers);
  void complete(GradientPart part);

  double label_smoothing_;
  double dropout_;
  uint64_t seed_;
  uint64_t batches_seen_ = 0;
  uint64_t rank_ = 0;       // of this process
  uint64_t processes_ = 1;  // in all

  ThreadTeam team_;
  FlatParameters parameters_;
  std::shared_ptr<Buffer> gradient_buffer_ = std::make_shared<Buffer>();  // flat
  FusedGradient gradient_;
  FusedOptimizer optimizer_;
  std::vector<FlatParameters::Stretch> stretches_;  // the buckets of exchange_
};

}  // namespace nmt
