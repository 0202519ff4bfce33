#pragma once

#include <torch/types.h>

#include <string>

namespace nmt {

/// The device "cpu", "cuda" or "cuda:N". Throws Error if it does not exist.
torch::Device open_device(const std::string& name);

}  // namespace nmt
