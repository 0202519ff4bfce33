#pragma once

#include <torch/types.h>

#include <cstdint>
#include <optional>

#include "config/choices.h"

namespace nmt {

/// The autocast dtype of train.precision for the plain engine; nullopt for float32 and tf32. Throws
/// Error if the device does not support it.
std::optional<torch::ScalarType> autocast_type(TrainingPrecision precision,
                                               const torch::Device& device);

/// RAII guard for autocast: LibTorch computes matrix products in `type` and numerically sensitive
/// operations (sums, softmax, losses) in float32. Without a type it does nothing.
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

/// Dynamic loss scaling (Micikevicius et al. 2018, 3.2): gradients below 6e-8 underflow in float16,
/// so the loss is scaled up as far as possible. The scale is halved when a gradient is not finite
/// and doubled after kUpdatesToGrow finite updates.
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
