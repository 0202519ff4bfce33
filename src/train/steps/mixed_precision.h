#pragma once

#include <torch/types.h>

#include <cstdint>
#include <optional>

#include "config/choices.h"

namespace nmt {

/// The type that train.precision names for the plain path; none for float32. Throws Error where
/// the device has no such products.
std::optional<torch::ScalarType> autocast_type(TrainingPrecision precision,
                                               const torch::Device& device);

/// While it lives, LibTorch rounds the factors of matrix products to `type`, and computes what
/// needs more (sums, softmax, losses) in float32; without a type it does nothing.
class Autocast {
 public:
  Autocast(torch::DeviceType device, std::optional<torch::ScalarType> type);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  torch::DeviceType device_;
  bool on_;
};

/// Gradients below 6e-8 vanish in float16. The loss is scaled up by as much as just does not
/// overflow (Micikevicius et al. 2018, 3.2), found by trial: halved when a gradient is not finite,
/// doubled after so many updates without that.
class LossScale {
 public:
  static constexpr int64_t kUpdatesToGrow = 2000;

  double value() const { return value_; }
  int64_t finite_updates() const { return finite_updates_; }  // since the last change
  void restore(double value, int64_t finite_updates);
  void observe(bool finite);

 private:
  double value_ = 65536.0;
  int64_t finite_updates_ = 0;
};

}  // namespace nmt
