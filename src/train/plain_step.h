#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <vector>

#include "train/training_step.h"

namespace nmt {

/// LibTorch's modules, autograd, optimisers and threads.
class PlainStep : public TrainingStep {
 public:
  PlainStep(const Seq2Seq& model, const TrainConfig& config, int threads);

  double add_gradient(const Batch& batch, double scale) override;
  double update(double learning_rate) override;

 private:
  Seq2Seq model_;
  double clip_norm_;
  double label_smoothing_;
  int threads_;
  std::vector<torch::Tensor> parameters_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

}  // namespace nmt
