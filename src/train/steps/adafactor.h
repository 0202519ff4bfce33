#pragma once

#include <torch/optim/optimizer.h>
#include <torch/types.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace nmt {

// Constants of Adafactor (Shazeer and Stern 2018, algorithms 4 and 5), with the values of its
// algorithm 6.
constexpr double kAdafactorEpsilon = 1e-30;     // ε₁, added to squares
constexpr double kAdafactorMaxUpdateRms = 1.0;  // d, maximum RMS of an update

/// β̂₂ of update t, from 1: 1 − t^−0.8.
inline double adafactor_beta2(int64_t step) {
  return 1.0 - std::pow(static_cast<double>(step), -0.8);
}

/// Adafactor without first moment, at an external learning rate:
///
///   matrix  r ← β̂₂ r + (1 − β̂₂) (row means of G² + ε₁)    c likewise of the columns
///           V = r cᵀ / mean(r), which is the paper's R C / ΣR of sums
///   vector  V ← β̂₂ V + (1 − β̂₂) (G² + ε₁)
///   both    U = G / √V    θ ← (1 − α λ) θ − α U / max(1, RMS(U) / d)
class Adafactor : public torch::optim::Optimizer {
 public:
  struct Moments {
    int64_t steps = 0;
    torch::Tensor rows;     // [R] of a matrix
    torch::Tensor columns;  // [C] of a matrix
    torch::Tensor full;     // of a vector
  };

  Adafactor(std::vector<torch::optim::OptimizerParamGroup> groups, double learning_rate,
            double weight_decay);

  torch::Tensor step(LossClosure closure = nullptr) override;

  /// The moments of a parameter; their tensors are undefined before its first step.
  Moments& moments(const torch::Tensor& parameter) {
    return moments_[parameter.unsafeGetTensorImpl()];
  }

 private:
  void move(torch::Tensor& parameter, double learning_rate);

  double weight_decay_;
  std::map<const void*, Moments> moments_;
};

}  // namespace nmt
