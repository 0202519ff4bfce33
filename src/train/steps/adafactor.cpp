#include "train/steps/adafactor.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace nmt {
namespace {

class AdafactorOptions : public torch::optim::OptimizerCloneableOptions<AdafactorOptions> {
 public:
  explicit AdafactorOptions(double learning_rate) : learning_rate_(learning_rate) {}
  double get_lr() const override { return learning_rate_; }
  void set_lr(const double learning_rate) override { learning_rate_ = learning_rate; }

 private:
  double learning_rate_;
};

/// moment ← β₂ moment + (1 − β₂) squares
const torch::Tensor& accumulate(torch::Tensor& moment, const torch::Tensor& squares, double beta2) {
  moment = moment.defined() ? moment.mul_(beta2).add_(squares, 1.0 - beta2) : squares;
  return moment;
}

}  // namespace

Adafactor::Adafactor(std::vector<torch::optim::OptimizerParamGroup> groups, double learning_rate,
                     double weight_decay)
    : Optimizer(std::move(groups), std::make_unique<AdafactorOptions>(learning_rate)),
      weight_decay_(weight_decay) {}

torch::Tensor Adafactor::step(LossClosure) {
  const torch::NoGradGuard no_gradient;
  for (auto& group : param_groups_) {
    for (auto& parameter : group.params()) {
      if (parameter.grad().defined()) move(parameter, group.options().get_lr());
    }
  }
  return {};
}

void Adafactor::move(torch::Tensor& parameter, double learning_rate) {
  auto& moment = moments(parameter);
  const double beta2 = adafactor_beta2(++moment.steps);
  const auto& gradient = parameter.grad();
  const auto squares = gradient.square() + kAdafactorEpsilon;
  torch::Tensor update;
  if (parameter.dim() == 2) {
    const auto rows = accumulate(moment.rows, squares.mean(1), beta2);        // [R]
    const auto columns = accumulate(moment.columns, squares.mean(0), beta2);  // [C]
    // Roots of the factors, as their product may be too small for a float.
    update = gradient * (rows / rows.mean()).rsqrt().unsqueeze(1) * columns.rsqrt();  // [R, C]
  } else {
    update = gradient * accumulate(moment.full, squares, beta2).rsqrt();
  }
  const double rms = update.square().mean().sqrt().item<double>();
  parameter.mul_(1.0 - learning_rate * weight_decay_);
  parameter.sub_(update, learning_rate / std::max(1.0, rms / kAdafactorMaxUpdateRms));
}

}  // namespace nmt
