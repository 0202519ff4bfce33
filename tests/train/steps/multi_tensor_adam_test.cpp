#include "train/steps/multi_tensor_adam.h"

#include <ATen/ATen.h>
#include <torch/library.h>
#include <torch/optim/adamw.h>
#include <torch/version.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "support/test_device.h"
#include "train/small_model.h"
#include "train/steps/deferred_number.h"
#include "train/steps/named_parameters.h"
#include "train/steps/optimizer.h"

namespace nmt {
namespace {

#if TORCH_VERSION_MAJOR < 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 4)

/// LibTorch before 2.4 has the operator for GPUs only; this is what it computes there.
void fused_adam(at::TensorList parameters, at::TensorList gradients, at::TensorList first,
                at::TensorList second, at::TensorList, at::TensorList steps, double rate,
                double beta1, double beta2, double weight_decay, double epsilon, bool, bool,
                const c10::optional<torch::Tensor>& scale,
                const c10::optional<torch::Tensor>& skipped) {
  if (skipped->item<float>() == 1) return;
  for (size_t i = 0; i < parameters.size(); ++i) {
    REQUIRE(gradients[i].strides() == parameters[i].strides());
    const double step = steps[i].item<float>();
    auto gradient = gradients[i];
    gradient.div_(*scale);
    const auto slope = gradient + weight_decay * parameters[i];
    first[i].mul_(beta1).add_(slope, 1 - beta1);
    second[i].mul_(beta2).addcmul_(slope, slope, 1 - beta2);
    const auto root = second[i].sqrt() / std::sqrt(1 - std::pow(beta2, step)) + epsilon;
    parameters[i].addcdiv_(first[i], root, -rate / (1 - std::pow(beta1, step)));
  }
}

TORCH_LIBRARY_IMPL(aten, CPU, library) { library.impl("_fused_adam_", fused_adam); }

constexpr bool kHasAdamW = false;  // nor has 1.13 AdamW

#else

constexpr bool kHasAdamW = true;

#endif

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TrainConfig config_of(OptimizerKind kind) {
  TrainConfig config;
  config.optimizer = kind;
  config.weight_decay = 0.1;
  config.clip_norm = 2.0;
  return config;
}

MultiTensorAdam multi_tensor_adam(const std::vector<torch::Tensor>& parameters,
                                  const TrainConfig& config) {
  std::vector<torch::optim::OptimizerParamGroup> groups;
  for (const auto& parameter : parameters) groups.emplace_back(std::vector{parameter});
  return MultiTensorAdam(std::move(groups),
                         torch::optim::AdamOptions(config.learning_rate)
                             .betas({config.adam_beta1, config.adam_beta2})
                             .eps(config.adam_epsilon)
                             .weight_decay(config.weight_decay),
                         config.optimizer == OptimizerKind::kAdamW);
}

/// A model whose gradients are set by hand; [1, H] and vectors are among its parameters.
struct Trained {
  Seq2Seq model = [] {
    auto network = small_model();
    network->to(test_device());
    return network;
  }();
  std::vector<torch::Tensor> parameters = unique_parameters_of({model});
  std::vector<double> factors = [this] {
    std::vector<double> all(parameters.size(), 1.0);
    all[1] = 0.25;
    all[3] = 0.0;  // frozen
    return all;
  }();

  /// Norms from 0.3 to 30, so that clipping acts in some updates.
  void set_gradients(int update, double factor = 1.0) {
    for (size_t i = 0; i < parameters.size(); ++i) {
      torch::manual_seed(1000 * static_cast<uint64_t>(update) + i);
      const auto gradient =
          torch::randn(parameters[i].sizes()) * (factor * std::pow(10.0, update % 3 - 2));
      parameters[i].mutable_grad() = on_device(factors[i] * gradient);
    }
  }
};

void require_equal_parameters(const Trained& found, const Trained& expected) {
  for (size_t i = 0; i < expected.parameters.size(); ++i) {
    INFO("parameter " << i);
    REQUIRE(torch::allclose(found.parameters[i], expected.parameters[i], 1e-6, 1e-6));
  }
}

}  // namespace

TEST_CASE("Multi-tensor Adam computes LibTorch's Adam and skips what is not finite", "[train]") {
  for (const auto kind : {OptimizerKind::kAdam, OptimizerKind::kAdamW}) {
    if (kind == OptimizerKind::kAdamW && !kHasAdamW) continue;
    INFO("AdamW " << (kind == OptimizerKind::kAdamW));
    const auto config = config_of(kind);
    Trained expected, found;
    const auto options = [&](auto kind_options) {
      return kind_options.betas({config.adam_beta1, config.adam_beta2})
          .eps(config.adam_epsilon)
          .weight_decay(config.weight_decay);
    };
    std::vector<torch::optim::OptimizerParamGroup> groups;
    for (const auto& parameter : expected.parameters) groups.emplace_back(std::vector{parameter});
    std::unique_ptr<torch::optim::Optimizer> reference;
    if (kind == OptimizerKind::kAdam) {
      reference = std::make_unique<torch::optim::Adam>(std::move(groups),
                                                       options(torch::optim::AdamOptions(0.1)));
    } else {
      reference = std::make_unique<torch::optim::AdamW>(std::move(groups),
                                                        options(torch::optim::AdamWOptions(0.1)));
    }
    auto adam = multi_tensor_adam(found.parameters, config);
    for (int update = 0; update < 6; ++update) {
      const double rate = 1e-2 / (update + 1);
      set_learning_rate(*reference, rate, expected.factors);
      expected.set_gradients(update);
      const double norm = clip_gradients(expected.parameters, config.clip_norm);
      reference->step();

      set_learning_rate(adam, rate, found.factors);
      found.set_gradients(update);
      const auto loss = on_device(torch::tensor(3.0F));
      const double found_norm = DeferredNumber(adam.clip_and_step(config.clip_norm, loss));
      REQUIRE(found_norm == Approx(norm).epsilon(1e-5));
      require_equal_parameters(found, expected);

      found.set_gradients(update, kInfinity);  // with NaN, as the frozen ones are 0 times infinity
      REQUIRE_FALSE(std::isfinite(DeferredNumber(adam.clip_and_step(config.clip_norm, loss))));
      found.set_gradients(update);
      REQUIRE(std::isnan(DeferredNumber(adam.clip_and_step(config.clip_norm, loss / 0))));
      require_equal_parameters(found, expected);
    }
  }
}

TEST_CASE("Multi-tensor Adam and LibTorch's continue from each other's state", "[train]") {
  const auto config = config_of(OptimizerKind::kAdam);
  const auto update = [&](torch::optim::Optimizer& optimizer, Trained& trained, int number) {
    set_learning_rate(optimizer, 1e-2, trained.factors);
    trained.set_gradients(number);
    optimizer.step();
  };
  Trained first;
  auto adam = multi_tensor_adam(first.parameters, config);
  TensorFile before;
  save_moments(adam, first.model, before);
  REQUIRE(before.tensors.empty());
  REQUIRE(before.metadata.at("optimizer_steps") == "0");
  for (int number = 0; number < 3; ++number) update(adam, first, number);

  TensorFile state;
  save_moments(adam, first.model, state);
  REQUIRE(state.metadata.at("optimizer_steps") == "3");
  for (auto& entry : state.tensors) entry.tensor = entry.tensor.clone();
  Trained resumed, other;
  for (auto* trained : {&resumed, &other}) {
    const torch::NoGradGuard no_gradient;
    for (size_t i = 0; i < first.parameters.size(); ++i) {
      trained->parameters[i].copy_(first.parameters[i]);
    }
  }
  auto resumed_adam = multi_tensor_adam(resumed.parameters, config);
  load_moments(state, resumed.model, resumed_adam);
  const auto per_parameter = make_optimizer(other.parameters, config);
  load_moments(state, other.model, *per_parameter);
  for (int number = 3; number < 5; ++number) {
    update(adam, first, number);
    update(resumed_adam, resumed, number);
    update(*per_parameter, other, number);
  }
  for (size_t i = 0; i < first.parameters.size(); ++i) {
    REQUIRE(torch::equal(resumed.parameters[i], first.parameters[i]));
  }
  require_equal_parameters(other, first);
}

TEST_CASE("Deferred numbers add up", "[train]") {
  DeferredNumber sum;
  REQUIRE(sum.is_known());
  sum += DeferredNumber(on_device(torch::tensor(1.5F)));
  sum += 2.0;
  sum += DeferredNumber(on_device(torch::tensor(0.25F)));
  REQUIRE(sum.is_known() == test_device().is_cpu());
  REQUIRE(double{sum} == 3.75);
}

}  // namespace nmt
