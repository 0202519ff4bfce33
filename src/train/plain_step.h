#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <vector>

#include "train/parallel_gradients.h"
#include "train/training_step.h"

namespace nmt {

/// LibTorch's modules, autograd and optimisers.
class PlainStep : public TrainingStep {
 public:
  PlainStep(const Seq2Seq& model, const TrainConfig& config, int threads);

  double add_gradient(const Batch& batch, double scale) override;
  double update(double learning_rate) override;

 private:
  double clip_norm_;
  double label_smoothing_;
  ParallelGradients gradients_;
  std::vector<torch::Tensor> parameters_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

}  // namespace nmt
