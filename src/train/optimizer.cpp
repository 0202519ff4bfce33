#include "train/optimizer.h"

#include <ATen/ATen.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <cmath>

namespace nmt {

std::unique_ptr<torch::optim::Optimizer> make_optimizer(std::vector<torch::Tensor> parameters,
                                                        const TrainConfig& config) {
  const double rate = config.learning_rate;
  const auto betas = std::make_tuple(config.adam_beta1, config.adam_beta2);
  if (config.optimizer == "sgd") {
    const auto options =
        torch::optim::SGDOptions(rate).momentum(config.momentum).weight_decay(config.weight_decay);
    return std::make_unique<torch::optim::SGD>(std::move(parameters), options);
  }
  if (config.optimizer == "adamw") {
    const auto options = torch::optim::AdamWOptions(rate)
                             .betas(betas)
                             .eps(config.adam_epsilon)
                             .weight_decay(config.weight_decay);
    return std::make_unique<torch::optim::AdamW>(std::move(parameters), options);
  }
  const auto options = torch::optim::AdamOptions(rate)
                           .betas(betas)
                           .eps(config.adam_epsilon)
                           .weight_decay(config.weight_decay);
  return std::make_unique<torch::optim::Adam>(std::move(parameters), options);
}

void set_learning_rate(torch::optim::Optimizer& optimizer, double learning_rate) {
  for (auto& group : optimizer.param_groups()) group.options().set_lr(learning_rate);
}

double clip_gradients(const std::vector<torch::Tensor>& parameters, double max_norm) {
  double sum_of_squares = 0.0;
  for (const auto& parameter : parameters) {
    if (!parameter.grad().defined()) continue;
    const double norm = parameter.grad().norm().item<double>();
    sum_of_squares += norm * norm;
  }
  const double norm = std::sqrt(sum_of_squares);
  if (max_norm > 0 && norm > max_norm) {
    for (const auto& parameter : parameters) {
      if (parameter.grad().defined()) parameter.grad().mul_(max_norm / norm);
    }
  }
  return norm;
}

}  // namespace nmt
