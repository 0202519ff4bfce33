#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>

namespace nmt {

/// The device named "cpu", "cuda" or "cuda:N" on a machine with `available` GPUs. Throws Error if
/// the name is unknown or there is no such device.
torch::Device find_device(const std::string& name, int64_t available);

/// The same on this machine; stops cuDNN from rounding float32 to TF32.
torch::Device open_device(const std::string& name);

}  // namespace nmt
