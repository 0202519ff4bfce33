#pragma once

// Launching kernels: on an NVIDIA GPU, or, compiled as C++, in loops on the CPU with one thread to
// a block, which is how machines without a GPU test what the kernels compute.

#include <cstdint>
#include <vector>

#ifdef __CUDACC__

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace nmt {
namespace {

constexpr bool kOnGpu = true;

/// Dynamic shared memory of a block, of the size given at launch.
template <typename T>
__device__ T* shared_memory() {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  return reinterpret_cast<T*>(shared_bytes);
}

template <typename Kernel, typename Arguments>
void launch(Kernel kernel, int64_t blocks, int threads, int64_t shared_bytes, cudaStream_t stream,
            const Arguments& arguments) {
  if (blocks == 0) return;  // would be an error
  kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads),
           static_cast<size_t>(shared_bytes), stream>>>(arguments);
  const cudaError_t error = cudaGetLastError();
  if (error == cudaErrorNoKernelImageForDevice) {
    throw std::runtime_error(
        "GPU: nmt was compiled for other GPUs; set TORCH_CUDA_ARCH_LIST and rebuild it");
  }
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string("GPU: ") + cudaGetErrorString(error));
  }
}

}  // namespace
}  // namespace nmt

#else

#include <c10/util/Half.h>

#include <cmath>

#define __global__ static
#define __device__
#define __syncthreads()
#define __shfl_xor_sync(mask, value, lane) (value)

namespace nmt {
namespace {

constexpr bool kOnGpu = false;

struct Place {
  int x = 0;
};
thread_local Place threadIdx, blockIdx, gridDim;
constexpr Place blockDim{1};
constexpr int warpSize = 1;
thread_local std::vector<float> shared_floats;

template <typename T>
T* shared_memory() {
  return reinterpret_cast<T*>(shared_floats.data());
}

template <typename Kernel, typename Arguments>
void launch(Kernel kernel, int64_t blocks, int, int64_t shared_bytes, void*,
            const Arguments& arguments) {
  shared_floats.assign(static_cast<size_t>(shared_bytes), 0.0F);
  gridDim.x = static_cast<int>(blocks);
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) kernel(arguments);
}

}  // namespace
}  // namespace nmt

#endif
