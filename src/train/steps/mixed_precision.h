#pragma once

#include <torch/types.h>

#include <cstdint>
#include <optional>

#include "config/choices.h"

namespace nmt {

/// The autocast type of train.precision for the plain engine; none for float32. Throws Error where
/// the device does not support it.
std::optional<torch::ScalarType> autocast_type(TrainingPrecision precision,
                                               const torch::Device& device);

/// While it lives, LibTorch computes matrix products in `type`, and what needs more precision
/// (sums, softmax, losses) in float32; without a type it does nothing.
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

/// Gradients below 6e-8 underflow in float16, so the loss is scaled up as far as nothing overflows
/// (Micikevicius et al. 2018, 3.2): halved when a gradient is not finite, doubled after
/// kUpdatesToGrow updates without that.
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
