#include "train/steps/optimizer.h"

#include <ATen/ATen.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <type_traits>

#include "train/steps/multi_tensor_adam.h"
#include "train/steps/named_parameters.h"

namespace nmt {
namespace {

constexpr char kSteps[] = "optimizer_steps";
constexpr char kFirst[] = "first_moment";
constexpr char kSecond[] = "second_moment";

/// LibTorch's optimizers identify a parameter by its address: as text in 1.13, as a pointer in 2.x.
template <typename Key>
Key key_of(const torch::Tensor& parameter) {
  void* address = parameter.unsafeGetTensorImpl();
  if constexpr (std::is_same_v<Key, std::string>) {
    std::ostringstream text;
    text << address;
    return text.str();
  } else {
    return address;
  }
}

/// An optimizer's state for one parameter; empty before its first step.
using Moments = MultiTensorAdam::Moments;

template <typename State>
Moments adam_moments(const State& state) {
  return {state.step(), state.exp_avg(), state.exp_avg_sq()};
}

template <typename State>
std::unique_ptr<State> adam_state(const Moments& moments) {
  auto state = std::make_unique<State>();
  state->step(moments.steps);
  state->exp_avg(moments.first);
  state->exp_avg_sq(moments.second);
  return state;
}

Moments moments_of(torch::optim::Optimizer& optimizer, const torch::Tensor& parameter) {
  if (const auto* adam = dynamic_cast<MultiTensorAdam*>(&optimizer)) {
    const auto moments = adam->moments(parameter);
    return moments.steps == 0 ? Moments() : moments;
  }
  auto& states = optimizer.state();
  const auto found = states.find(key_of<std::decay_t<decltype(states.begin()->first)>>(parameter));
  if (found == states.end()) return {};
  using torch::optim::AdamParamState;
  using torch::optim::AdamWParamState;
  using torch::optim::SGDParamState;
  if (const auto* state = dynamic_cast<AdamParamState*>(found->second.get())) {
    return adam_moments(*state);
  }
  if (const auto* state = dynamic_cast<AdamWParamState*>(found->second.get())) {
    return adam_moments(*state);
  }
  return {1, static_cast<SGDParamState&>(*found->second).momentum_buffer(), {}};
}

void set_moments(torch::optim::Optimizer& optimizer, const torch::Tensor& parameter,
                 const Moments& moments) {
  if (auto* adam = dynamic_cast<MultiTensorAdam*>(&optimizer)) {
    return adam->set_moments(parameter, moments);
  }
  auto& states = optimizer.state();
  auto& state = states[key_of<std::decay_t<decltype(states.begin()->first)>>(parameter)];
  if (dynamic_cast<torch::optim::Adam*>(&optimizer) != nullptr) {
    state = adam_state<torch::optim::AdamParamState>(moments);
  } else if (dynamic_cast<torch::optim::AdamW*>(&optimizer) != nullptr) {
    state = adam_state<torch::optim::AdamWParamState>(moments);
  } else {
    auto velocity = std::make_unique<torch::optim::SGDParamState>();
    velocity->momentum_buffer(moments.first);
    state = std::move(velocity);
  }
}

/// Returns an undefined tensor if the state has none.
torch::Tensor read_moment(const TensorFile& state, const std::string& prefix,
                          const NamedTensor& parameter) {
  if (state.find(prefix + "." + parameter.name) == nullptr) return {};
  auto moment = torch::empty_like(parameter.tensor);
  read_tensors(state, prefix, {{parameter.name, moment}});
  return moment;
}

}  // namespace

std::unique_ptr<torch::optim::Optimizer> make_optimizer(
    const std::vector<torch::Tensor>& parameters, const TrainConfig& config) {
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.reserve(parameters.size());
  for (const auto& parameter : parameters) groups.emplace_back(std::vector{parameter});
  const double rate = config.learning_rate;
  const auto betas = std::make_tuple(config.adam_beta1, config.adam_beta2);
  const auto with_moments = [&](auto options) {
    return options.betas(betas).eps(config.adam_epsilon).weight_decay(config.weight_decay);
  };
  if (MultiTensorAdam::supports(config.optimizer, parameters.front().device())) {
    return std::make_unique<MultiTensorAdam>(std::move(groups),
                                             with_moments(torch::optim::AdamOptions(rate)),
                                             config.optimizer == OptimizerKind::kAdamW);
  }
  switch (config.optimizer) {
    case OptimizerKind::kAdam:
      return std::make_unique<torch::optim::Adam>(std::move(groups),
                                                  with_moments(torch::optim::AdamOptions(rate)));
    case OptimizerKind::kAdamW:
      return std::make_unique<torch::optim::AdamW>(std::move(groups),
                                                   with_moments(torch::optim::AdamWOptions(rate)));
    case OptimizerKind::kSgd:
      return std::make_unique<torch::optim::SGD>(std::move(groups),
                                                 torch::optim::SGDOptions(rate)
                                                     .momentum(config.momentum)
                                                     .weight_decay(config.weight_decay));
  }
  return nullptr;
}

void set_learning_rate(torch::optim::Optimizer& optimizer, double learning_rate,
                       const std::vector<double>& factors) {
  for (size_t i = 0; i < factors.size(); ++i) {
    optimizer.param_groups()[i].options().set_lr(learning_rate * factors[i]);
  }
}

double clip_gradients(const std::vector<torch::Tensor>& parameters, double max_norm) {
  std::vector<torch::Tensor> norms;
  for (const auto& parameter : parameters) {
    if (parameter.grad().defined()) norms.push_back(parameter.grad().norm());
  }
  double sum_of_squares = 0.0;
  if (!norms.empty()) {
    const auto all = torch::stack(norms).to(torch::kCPU, torch::kDouble);  // waits for a GPU once
    const auto* values = all.data_ptr<double>();
    for (size_t i = 0; i < norms.size(); ++i) sum_of_squares += values[i] * values[i];
  }
  const double norm = std::sqrt(sum_of_squares);
  if (max_norm > 0 && norm > max_norm) {
    for (const auto& parameter : parameters) {
      if (parameter.grad().defined()) parameter.grad().mul_(max_norm / norm);
    }
  }
  return norm;
}

void save_moments(torch::optim::Optimizer& optimizer, const Seq2Seq& model, TensorFile& state,
                  const std::string& prefix) {
  int64_t steps = 0;
  const auto parameters = model->named_parameters();
  for (const auto& [name, values] : unique_named_parameters(model)) {
    const auto moments = moments_of(optimizer, parameters[name]);
    steps = std::max(steps, moments.steps);
    if (moments.first.defined()) add_tensors(state, prefix + kFirst, {{name, moments.first}});
    if (moments.second.defined()) add_tensors(state, prefix + kSecond, {{name, moments.second}});
  }
  state.metadata[kSteps] = std::to_string(steps);
}

void load_moments(const TensorFile& state, const Seq2Seq& model, torch::optim::Optimizer& optimizer,
                  const std::string& prefix) {
  const int64_t steps = read_count(state, kSteps);
  const auto parameters = model->named_parameters();
  for (const auto& named : unique_named_parameters(model)) {
    const Moments moments{steps, read_moment(state, prefix + kFirst, named),
                          read_moment(state, prefix + kSecond, named)};
    if (!moments.first.defined() && !moments.second.defined()) continue;
    set_moments(optimizer, parameters[named.name], moments);
  }
}

}  // namespace nmt
