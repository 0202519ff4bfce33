#include "nn/loss.h"

#include <ATen/ATen.h>

namespace nmt {

TokenLoss token_loss(const torch::Tensor& log_probabilities, const torch::Tensor& targets,
                     double label_smoothing) {
  const auto likelihood = log_probabilities.gather(1, targets.unsqueeze(1)).sum();
  auto objective = -likelihood;
  if (label_smoothing > 0) {
    const auto vocabulary_size = static_cast<double>(log_probabilities.size(1));
    const auto uniform = -log_probabilities.sum() / vocabulary_size;
    objective = (1 - label_smoothing) * objective + label_smoothing * uniform;
  }
  return {objective, -likelihood.detach()};
}

}  // namespace nmt
