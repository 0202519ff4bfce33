#pragma once

#include <torch/types.h>

#include <memory>

#include "nn/cuda/operations.h"

namespace nmt {

/// Whether steps on this device run as kernels: on an NVIDIA GPU, if nmt was built for one.
bool has_step_operations(const torch::Device& device);

/// Likewise, for the device and dtype of `like`.
bool has_step_operations(const torch::Tensor& like);

/// The operations of a pass on the device and in the numbers of `like`, on the current stream.
std::unique_ptr<StepOperations> make_step_operations(const torch::Tensor& like);

/// Likewise, in numbers of this type.
std::unique_ptr<StepOperations> make_step_operations(const torch::Device& device, StepDtype number);

/// For tests: runs steps on the CPU as kernels, too; null restores the default.
using StepOperationsMaker = std::unique_ptr<StepOperations> (*)(StepDtype number);
void set_cpu_step_operations(StepOperationsMaker make);

}  // namespace nmt
