#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <string>
#include <vector>

#include "checkpoint/safetensors.h"
#include "config/settings.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Makes the optimizer of the settings, with each parameter in a group of its own.
std::unique_ptr<torch::optim::Optimizer> make_optimizer(
    const std::vector<torch::Tensor>& parameters, const TrainConfig& config);

/// Sets the learning rate of each parameter to `learning_rate` times its factor. `factors` are in
/// the order of the parameters.
void set_learning_rate(torch::optim::Optimizer& optimizer, double learning_rate,
                       const std::vector<double>& factors);

/// Scales the gradients so that their global norm is at most max_norm (Pascanu et al. 2013); 0
/// disables clipping. Returns the norm before clipping.
double clip_gradients(const std::vector<torch::Tensor>& parameters, double max_norm);

/// Adds the optimizer's moments and steps to a training state, in the fused engine's format;
/// nothing before the first step. `prefix` distinguishes several models.
void save_moments(torch::optim::Optimizer& optimizer, const Seq2Seq& model, TensorFile& state,
                  const std::string& prefix = "");

/// Loads them into a new optimizer. Throws Error on tensors that are missing or of another shape.
void load_moments(const TensorFile& state, const Seq2Seq& model, torch::optim::Optimizer& optimizer,
                  const std::string& prefix = "");

}  // namespace nmt
