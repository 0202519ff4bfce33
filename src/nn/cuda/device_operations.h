#pragma once

#include <torch/types.h>

#include <memory>

#include "nn/cuda/operations.h"

namespace nmt {

/// Whether steps on this device run as kernels: on an NVIDIA GPU, if nmt was built for one.
bool has_step_operations(const torch::Device& device);

/// Whether they do for numbers such as those of `like`.
bool has_step_operations(const torch::Tensor& like);

/// The operations of a pass on the device and in the numbers of `like`, on the current stream.
std::unique_ptr<StepOperations> make_step_operations(const torch::Tensor& like);

/// Likewise, in numbers of this type.
std::unique_ptr<StepOperations> make_step_operations(const torch::Device& device,
                                                     StepNumber number);

/// Makes steps on the CPU run as kernels, too, as tests want; null: no longer.
using StepOperationsMaker = std::unique_ptr<StepOperations> (*)(StepNumber number);
void set_cpu_step_operations(StepOperationsMaker make);

}  // namespace nmt
