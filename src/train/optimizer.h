#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <vector>

#include "config/settings.h"

namespace nmt {

/// Adam, AdamW or SGD over the parameters, as the settings say.
std::unique_ptr<torch::optim::Optimizer> make_optimizer(std::vector<torch::Tensor> parameters,
                                                        const TrainConfig& config);

void set_learning_rate(torch::optim::Optimizer& optimizer, double learning_rate);

/// Scales the gradients so that their global norm is at most max_norm (Pascanu et al. 2013); 0
/// leaves them as they are. Returns the norm before.
double clip_gradients(const std::vector<torch::Tensor>& parameters, double max_norm);

}  // namespace nmt
