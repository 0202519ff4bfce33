#include "nn/loss.h"

#include <ATen/ATen.h>

#include "attentions/attention_kind.h"

namespace nmt {

TokenLoss token_loss(const torch::Tensor& log_probabilities, const torch::Tensor& targets,
                     double label_smoothing, const torch::Tensor& weights) {
  const auto log_likelihood = log_probabilities.gather(1, targets.unsqueeze(1)).squeeze(1);  // [M]
  auto objective = -log_likelihood;
  if (label_smoothing > 0) {
    const auto vocabulary_size = static_cast<double>(log_probabilities.size(1));
    const auto uniform = -log_probabilities.sum(1) / vocabulary_size;  // [M]
    objective = (1 - label_smoothing) * objective + label_smoothing * uniform;
  }
  if (weights.defined()) objective = weights * objective;
  return {objective.sum(), -log_likelihood.sum().detach()};
}

torch::Tensor guided_alignment_loss(const torch::Tensor& attention,
                                    const torch::Tensor& alignment) {
  return -(alignment * attention.clamp_min(kMinGuidedAttention).log()).sum();
}

}  // namespace nmt
