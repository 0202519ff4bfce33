#include "train/steps/mixed_precision.h"

#include <ATen/autocast_mode.h>
#include <torch/version.h>

#include <algorithm>
#include <string>

#include "errors/error.h"

namespace nmt {
namespace {

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)

void set_autocast(torch::DeviceType device, bool on, torch::ScalarType type) {
  if (on) at::autocast::set_autocast_dtype(device, type);
  at::autocast::set_autocast_enabled(device, on);
}

#else  // one set of functions per kind of device

void set_autocast(torch::DeviceType device, bool on, torch::ScalarType type) {
  if (device == torch::kCUDA) {
    if (on) at::autocast::set_autocast_gpu_dtype(type);
    at::autocast::set_enabled(on);
  } else {
    if (on) at::autocast::set_autocast_cpu_dtype(type);
    at::autocast::set_cpu_enabled(on);
  }
}

#endif

}  // namespace

std::optional<torch::ScalarType> autocast_type(TrainingPrecision precision,
                                               const torch::Device& device) {
  if (precision == TrainingPrecision::kFloat32) return std::nullopt;
  if (precision == TrainingPrecision::kBfloat16) return torch::kBFloat16;
  const bool rounds_products = precision == TrainingPrecision::kTf32;
  if (device.is_cpu()) {
    throw Error(std::string("train.precision: ") + (rounds_products ? "tf32" : "float16") +
                " needs CUDA; on a CPU use bfloat16 or float32");
  }
  if (rounds_products) return std::nullopt;
  return torch::kHalf;
}

Autocast::Autocast(torch::DeviceType device, std::optional<torch::ScalarType> type)
    : device_(device), on_(type.has_value()) {
  if (!on_) return;
  at::autocast::increment_nesting();
  set_autocast(device_, true, *type);
}

Autocast::~Autocast() {
  if (!on_) return;
  set_autocast(device_, false, torch::kFloat);
  // It caches rounded weights, which the next update changes.
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
}

void LossScale::restore(double value, int64_t finite_updates) {
  value_ = value;
  finite_updates_ = finite_updates;
}

void LossScale::observe(bool finite) {
  if (!finite) {
    value_ = std::max(1.0, value_ / 2);
    finite_updates_ = 0;
  } else if (++finite_updates_ == kUpdatesToGrow) {
    value_ *= 2;
    finite_updates_ = 0;
  }
}

}  // namespace nmt
