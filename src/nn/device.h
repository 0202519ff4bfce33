#pragma once

#include <torch/types.h>

#include <string>

namespace nmt {

/// The device "cpu", "cuda" or "cuda:N", on which float32 is then not rounded to TF32. Throws Error
/// if it does not exist.
torch::Device open_device(const std::string& name);

}  // namespace nmt
