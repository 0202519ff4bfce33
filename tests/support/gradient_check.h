#pragma once

#include <torch/types.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace nmt {

/// Largest difference between autograd's gradient of `function` and central finite differences,
/// over every element of the given double-precision leaves; on a GPU, where each element takes two
/// passes of small kernels, over about ten of each leaf.
inline double gradient_error(const std::vector<torch::Tensor>& leaves,
                             const std::function<torch::Tensor()>& function) {
  constexpr double kStep = 1e-5;
  const auto loss = function();
  for (const auto& leaf : leaves) leaf.mutable_grad() = torch::Tensor();
  loss.backward();
  double worst = 0.0;
  for (const auto& leaf : leaves) {
    const auto analytic = leaf.grad().defined() ? leaf.grad().clone() : torch::zeros_like(leaf);
    const at::NoGradGuard no_gradients;
    auto values = leaf.view(-1);
    const int64_t stride = leaf.is_cpu() ? 1 : std::max<int64_t>(1, values.numel() / 10);
    for (int64_t i = 0; i < values.numel(); i += stride) {
      const double original = values[i].item<double>();
      values[i] = original + kStep;
      const double above = function().item<double>();
      values[i] = original - kStep;
      const double below = function().item<double>();
      values[i] = original;
      const double numeric = (above - below) / (2 * kStep);
      worst = std::max(worst, std::abs(numeric - analytic.view(-1)[i].item<double>()));
    }
  }
  return worst;
}

}  // namespace nmt
