#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <string>
#include <vector>

#include "checkpoint/safetensors.h"
#include "config/settings.h"
#include "nn/seq2seq.h"

namespace nmt {

/// The optimizer of the settings over the parameters, each a group of its own.
std::unique_ptr<torch::optim::Optimizer> make_optimizer(
    const std::vector<torch::Tensor>& parameters, const TrainConfig& config);

/// `factors` of the learning rate are those of the parameters, in their order.
void set_learning_rate(torch::optim::Optimizer& optimizer, double learning_rate,
                       const std::vector<double>& factors);

/// Scales the gradients so that their global norm is at most max_norm (Pascanu et al. 2013); 0
/// leaves them as they are. Returns the norm before.
double clip_gradients(const std::vector<torch::Tensor>& parameters, double max_norm);

/// Adds the optimizer's moments and steps to a training state, in the fused engine's format;
/// nothing before the first step. `prefix` distinguishes several models.
void save_moments(torch::optim::Optimizer& optimizer, const Seq2Seq& model, TensorFile& state,
                  const std::string& prefix = "");

/// Loads them into a new optimizer. Throws Error on tensors that are missing or of another shape.
void load_moments(const TensorFile& state, const Seq2Seq& model, torch::optim::Optimizer& optimizer,
                  const std::string& prefix = "");

}  // namespace nmt
