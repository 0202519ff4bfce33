#include "train/steps/multi_tensor_adam.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/version.h>

#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace nmt {
namespace {

constexpr bool kHasAdamW = TORCH_VERSION_MAJOR >= 2;

/// What one call of the kernels updates.
struct Tensors {
  const torch::optim::AdamOptions* options = nullptr;  // of all these parameters
  std::vector<torch::Tensor> parameters, gradients, first, second, steps;
};

/// LibTorch's fused Adam: divides the gradients by `scale`, and does nothing if `skipped` is 1.
void update(const Tensors& tensors, bool is_adamw, const torch::Tensor& scale,
            const torch::Tensor& skipped) {
  const auto& options = *tensors.options;
  const auto call = [&](auto fused) {
    const auto& [beta1, beta2] = options.betas();
    fused(tensors.parameters, tensors.gradients, tensors.first, tensors.second, at::TensorList(),
          tensors.steps, options.lr(), beta1, beta2, options.weight_decay(), options.eps(),
          /*amsgrad=*/false, /*maximize=*/false, scale, skipped);
  };
#if TORCH_VERSION_MAJOR >= 2
  if (is_adamw) return call([](const auto&... of) { at::_fused_adamw_(of...); });
#else
  (void)is_adamw;
#endif
  call([](const auto&... of) { at::_fused_adam_(of...); });
}

}  // namespace

bool MultiTensorAdam::supports(OptimizerKind kind, const torch::Device& device) {
  return device.is_cuda() &&
         (kind == OptimizerKind::kAdam || (kind == OptimizerKind::kAdamW && kHasAdamW));
}

MultiTensorAdam::MultiTensorAdam(std::vector<torch::optim::OptimizerParamGroup> groups,
                                 const torch::optim::AdamOptions& options, bool is_adamw)
    : Optimizer(std::move(groups), std::make_unique<torch::optim::AdamOptions>(options)),
      is_adamw_(is_adamw) {
  for (const auto& group : param_groups_) {
    const auto& parameter = group.params().front();
    parameters_.push_back(parameter);
    first_.push_back(torch::zeros_like(parameter).detach());
    second_.push_back(torch::zeros_like(parameter).detach());
  }
  steps_ = torch::zeros({}, parameters_.front().options().requires_grad(false));
}

torch::Tensor MultiTensorAdam::clip_and_step(double max_norm, const torch::Tensor& loss) {
  const torch::NoGradGuard no_gradient;
  std::map<double, Tensors> of_rate;  // by learning rate
  std::vector<torch::Tensor> gradients;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& parameter = parameters_[i];
    auto gradient = parameter.grad();
    // The kernels go through memory in order; a dimension of size 1 may have any stride.
    if (gradient.strides() != parameter.strides()) {
      gradient = torch::empty_like(parameter).copy_(gradient);
    }
    gradients.push_back(gradient);
    const auto& of_group =
        static_cast<const torch::optim::AdamOptions&>(param_groups_[i].options());
    auto& tensors = of_rate[of_group.lr()];
    tensors.options = &of_group;
    tensors.parameters.push_back(parameter);
    tensors.gradients.push_back(gradient);
    tensors.first.push_back(first_[i]);
    tensors.second.push_back(second_[i]);
    tensors.steps.push_back(steps_);
  }
  auto norm = torch::stack(at::_foreach_norm(gradients, 2)).norm();
  if (loss.defined()) norm = norm + (loss.detach() - loss.detach());  // adds 0 or NaN
  const auto skipped = (norm - norm).ne(0).to(torch::kFloat32);       // 1 of inf and NaN
  steps_.add_(1 - skipped);
  const double limit = max_norm > 0 ? max_norm : std::numeric_limits<double>::infinity();
  const auto scale = (norm / limit).clamp_min(1);
  for (const auto& [rate, tensors] : of_rate) update(tensors, is_adamw_, scale, skipped);
  return norm;
}

torch::Tensor MultiTensorAdam::step(LossClosure) {
  clip_and_step(/*max_norm=*/0);
  return {};
}

size_t MultiTensorAdam::index_of(const torch::Tensor& parameter) const {
  size_t i = 0;
  while (!parameters_.at(i).is_same(parameter)) ++i;
  return i;
}

MultiTensorAdam::Moments MultiTensorAdam::moments(const torch::Tensor& parameter) const {
  const size_t i = index_of(parameter);
  return {static_cast<int64_t>(steps_.item<float>()), first_[i], second_[i]};
}

void MultiTensorAdam::set_moments(const torch::Tensor& parameter, const Moments& moments) {
  const size_t i = index_of(parameter);
  first_[i].copy_(moments.first);
  second_[i].copy_(moments.second);
  steps_.fill_(moments.steps);
}

}  // namespace nmt
