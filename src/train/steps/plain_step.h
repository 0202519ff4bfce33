#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <optional>
#include <vector>

#include "train/objectives/objective.h"
#include "train/steps/gradient_buckets.h"
#include "train/steps/mixed_precision.h"
#include "train/steps/multi_tensor_adam.h"
#include "train/steps/training_step.h"

namespace nmt {

/// The training step of the plain engine: LibTorch's modules, autograd, optimizers and threads,
/// with autocast for mixed precision.
class PlainStep : public TrainingStep {
 public:
  PlainStep(const Seq2Seq& model, const TrainConfig& config, std::unique_ptr<Objective> objective,
            const torch::Device& device, int threads, ProcessGroup* group = nullptr);

  DeferredNumber accumulate_gradient(const Batch& batch, double scale) override;
  DeferredNumber update(double learning_rate) override;
  void zero_grad() override;
  void reset() override;
  void undo() override;
  void save_state(TensorFile& state) const override;
  void load_state(const TensorFile& state) override;

 private:
  void set_up_exchange(ProcessGroup& group);
  void make_new_optimizer();

  Seq2Seq model_;
  TrainConfig config_;
  torch::Device device_;
  std::optional<torch::ScalarType> autocast_type_;
  std::optional<LossScale> loss_scale_;  // if a GPU computes gradients in float16
  int threads_;
  std::vector<torch::Tensor> parameters_;
  std::vector<double> learning_rate_factors_;  // one per parameter
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  MultiTensorAdam* multi_tensor_adam_ = nullptr;  // optimizer_, if it is that
  std::vector<torch::Tensor> generators_before_;  // their states before the update's first batch
  torch::Tensor deferred_loss_;  // scalar on the GPU: of the update's batches; may be undefined
  std::unique_ptr<GradientBuckets> buckets_;  // of exchange_
};

}  // namespace nmt
