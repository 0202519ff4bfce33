#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fused/gradient.h"
#include "threads/thread_team.h"
#include "train/objectives/objective.h"
#include "train/steps/flat_parameters.h"
#include "train/steps/fused_optimizer.h"
#include "train/steps/training_step.h"

namespace nmt {

/// The training step of the fused engine.
class FusedStep : public TrainingStep {
 public:
  FusedStep(const Seq2Seq& model, const TrainConfig& config, std::unique_ptr<Objective> objective,
            int threads, ProcessGroup* group = nullptr);

  DeferredNumber accumulate_gradient(const Batch& batch, double scale) override;
  DeferredNumber update(double learning_rate) override;
  void zero_grad() override;
  void reset() override;
  void undo() override { batches_seen_ = batches_at_update_; }
  void save_state(TensorFile& state) const override;
  void load_state(const TensorFile& state) override;

  /// The computing threads.
  ThreadTeam& team() { return team_; }

 protected:
  void announce_sparse_rows(const std::vector<Batch>& batches) override;

 private:
  void set_up_exchange(ProcessGroup& group, GradientCompression compression);
  void complete(GradientPart part);
  void for_each_tensor(const std::function<void(const std::string& prefix,
                                                const std::vector<NamedTensor>&)>& visit) const;

  ModelConfig options_;
  uint64_t seed_;
  uint64_t batches_seen_ = 0;
  uint64_t batches_at_update_ = 0;  // batches_seen_ at the last update
  uint64_t rank_ = 0;               // of the process
  uint64_t processes_ = 1;          // in total

  ThreadTeam team_;
  FlatParameters parameters_;
  std::shared_ptr<Buffer> gradient_buffer_ = std::make_shared<Buffer>();  // flat
  FusedGradient gradient_;
  std::unique_ptr<FusedGradient> auxiliary_gradient_;  // null without an auxiliary model
  FusedOptimizer optimizer_;
  std::vector<ParameterSegment> segments_;  // the buckets of exchange_; none without it
};

}  // namespace nmt
