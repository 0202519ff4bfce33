#pragma once

#include <torch/types.h>

#include <string>

namespace nmt {

/// "cpu", "cuda" or "cuda:N" as a device that is there. Throws Error when it is not.
torch::Device open_device(const std::string& name);

}  // namespace nmt
