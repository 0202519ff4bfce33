#pragma once

#include <torch/optim/adam.h>
#include <torch/optim/optimizer.h>
#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/settings.h"

namespace nmt {

/// Adam and AdamW for a GPU. A few kernels update all parameters, where torch::optim::Adam launches
/// about ten for each. The GPU itself clips the gradient and skips the update if it is not finite,
/// so that the CPU need not wait for the norm.
class MultiTensorAdam : public torch::optim::Optimizer {
 public:
  /// Whether LibTorch has the kernels.
  static bool supports(OptimizerKind kind, const torch::Device& device);

  /// One parameter in each group. `is_adamw`: weight decay is decoupled.
  MultiTensorAdam(std::vector<torch::optim::OptimizerParamGroup> groups,
                  const torch::optim::AdamOptions& options, bool is_adamw);

  /// Scales the gradients, one of each parameter, as clip_gradients() does, and updates the
  /// parameters, unless the norm or `loss` is not finite. Returns the norm before clipping, a
  /// scalar on the device, which is NaN if the loss is not finite. `loss`: a scalar, or undefined.
  torch::Tensor clip_and_step(double max_norm, const torch::Tensor& loss = {});

  torch::Tensor step(LossClosure closure = nullptr) override;

  struct Moments {
    int64_t steps = 0;
    torch::Tensor first;
    torch::Tensor second;
  };

  /// Waits for the GPU. The tensors share memory with the optimizer's.
  Moments moments(const torch::Tensor& parameter) const;

  /// The steps are those of all parameters.
  void set_moments(const torch::Tensor& parameter, const Moments& moments);

 private:
  size_t index_of(const torch::Tensor& parameter) const;

  bool is_adamw_;
  std::vector<torch::Tensor> parameters_;  // of the groups, in order
  std::vector<torch::Tensor> first_;
  std::vector<torch::Tensor> second_;
  torch::Tensor steps_;  // scalar float32 on the device: updates that were not skipped
};

}  // namespace nmt
