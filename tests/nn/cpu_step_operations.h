#pragma once

#include "nn/cuda/device_operations.h"

namespace nmt {

/// While it exists, networks on the CPU compute with the kernels of a GPU.
struct CpuKernels {
  CpuKernels();
  ~CpuKernels();
  CpuKernels(const CpuKernels&) = delete;
  CpuKernels& operator=(const CpuKernels&) = delete;
};

}  // namespace nmt
