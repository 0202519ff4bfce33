#include "nn/cuda/logit_loss.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "nn/cuda/device_operations.h"
#include "nn/cuda/device_rows.h"

namespace nmt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

LogitLoss loss_of(const torch::Tensor& logits, const torch::Tensor& targets,
                  const torch::Tensor& weights, const torch::Tensor& log_sums, double smoothing) {
  LogitLoss loss;
  loss.rows = logits.size(0);
  loss.vocabulary_size = logits.size(1);
  loss.logits = logits.data_ptr();
  loss.targets = targets.data_ptr<int64_t>();
  loss.weights = weights.numel() > 0 ? weights.data_ptr<float>() : nullptr;
  loss.label_smoothing = static_cast<float>(smoothing);
  loss.log_sums = log_sums.data_ptr<float>();
  return loss;
}

class LogitLossFunction : public torch::autograd::Function<LogitLossFunction> {
 public:
  static variable_list forward(AutogradContext* context, const torch::Tensor& logits,
                               const torch::Tensor& targets, const torch::Tensor& weights,
                               double smoothing) {
    const auto numbers = torch::empty({3, logits.size(0)}, logits.options().dtype(torch::kFloat));
    const auto log_sums = numbers[0], objectives = numbers[1], losses = numbers[2];
    auto loss = loss_of(logits, targets, weights, log_sums, smoothing);
    loss.objectives = objectives.data_ptr<float>();
    loss.losses = losses.data_ptr<float>();
    make_step_operations(logits)->loss_forward(loss);
    context->saved_data["smoothing"] = smoothing;
    context->save_for_backward({logits, targets, weights, log_sums});
    const auto negative_log_likelihood = losses.sum();
    context->mark_non_differentiable({negative_log_likelihood});
    return {objectives.sum(), negative_log_likelihood};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto& logits = saved[0];
    const auto gradient = gradients[0].to(torch::kFloat).contiguous();
    auto loss =
        loss_of(logits, saved[1], saved[2], saved[3], context->saved_data["smoothing"].toDouble());
    loss.gradient = gradient.data_ptr<float>();
    make_step_operations(logits)->loss_backward(loss);
    logits.unsafeGetTensorImpl()->bump_version();  // a second backward pass throws
    return {logits.detach(), {}, {}, {}};
  }
};

}  // namespace

LogitLossSums logit_loss(const torch::Tensor& logits, const torch::Tensor& targets,
                         double label_smoothing, const torch::Tensor& weights) {
  const auto results = LogitLossFunction::apply(logits.contiguous(), targets.contiguous(),
                                                or_empty(weights).contiguous(), label_smoothing);
  return {results[0], results[1]};
}

}  // namespace nmt
