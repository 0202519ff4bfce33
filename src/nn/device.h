#pragma once

#include <torch/types.h>

#include <string>

namespace nmt {

/// Returns the device named "cpu", "cuda" or "cuda:N", and stops cuDNN from rounding float32 to
/// TF32. Throws Error if the name is unknown or there is no such device.
torch::Device open_device(const std::string& name);

}  // namespace nmt
