#include "nn/cuda/device_operations.h"

#include <c10/util/Exception.h>

#ifdef NMT_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

#include "nn/cuda/kernels.h"
#endif

namespace nmt {
namespace {

StepOperationsMaker& cpu_operations() {
  static StepOperationsMaker make = nullptr;
  return make;
}

StepDtype number_of(torch::ScalarType type) {
  if (type == torch::kBFloat16) return StepDtype::kBfloat16;
  if (type == torch::kHalf) return StepDtype::kFloat16;
  TORCH_CHECK(type == torch::kFloat, "steps compute in float32, bfloat16 or float16");
  return StepDtype::kFloat32;
}

#ifdef NMT_HAS_CUDA

cudaDataType_t cuda_type(StepDtype number) {
  if (number == StepDtype::kBfloat16) return CUDA_R_16BF;
  return number == StepDtype::kFloat16 ? CUDA_R_16F : CUDA_R_32F;
}

/// The kernels, and cuBLAS's products.
class CudaOperations : private c10::cuda::CUDAGuard, public StepKernels<true> {
 public:
  CudaOperations(const torch::Device& device, StepDtype number)
      : CUDAGuard(device),
        StepKernels(number, at::cuda::getCurrentCUDAStream().stream()),
        type_(cuda_type(number)),
        handle_(at::cuda::getCurrentCUDABlasHandle()) {}

  void multiply(const StepProduct& product) override {
    // cuBLAS stores matrices by column: to it, ours are transposed, and Cᵀ = Bᵀ Aᵀ.
    const float one = 1.0F;
    const float before = product.accumulate ? 1.0F : 0.0F;
    TORCH_CUDABLAS_CHECK(cublasGemmStridedBatchedEx(
        handle_, product.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N,
        static_cast<int>(product.columns), static_cast<int>(product.rows),
        static_cast<int>(product.depth), &one, product.b.data, type_,
        static_cast<int>(product.b.stride), product.batch_b, product.a.data, type_,
        static_cast<int>(product.a.stride), product.batch_a, &before, product.c.data, type_,
        static_cast<int>(product.c.stride), product.batch_c, static_cast<int>(product.batch),
        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  }

 private:
  cudaDataType_t type_;
  cublasHandle_t handle_;  // rounds to TF32 if LibTorch may
};

#endif

}  // namespace

bool has_step_operations(const torch::Device& device) {
#ifdef NMT_HAS_CUDA
  if (device.is_cuda()) return true;
#endif
  return device.is_cpu() && cpu_operations() != nullptr;
}

std::unique_ptr<StepOperations> make_step_operations(const torch::Device& device,
                                                     StepDtype number) {
#ifdef NMT_HAS_CUDA
  if (device.is_cuda()) return std::make_unique<CudaOperations>(device, number);
#endif
  TORCH_CHECK(has_step_operations(device), "no kernels for ", device);
  return cpu_operations()(number);
}

std::unique_ptr<StepOperations> make_step_operations(const torch::Tensor& like) {
  return make_step_operations(like.device(), number_of(like.scalar_type()));
}

bool has_step_operations(const torch::Tensor& like) {
  const auto type = like.scalar_type();
  const bool has_type = type == torch::kFloat ||
                        (like.is_cuda() && (type == torch::kBFloat16 || type == torch::kHalf));
  return has_type && has_step_operations(like.device());
}

void set_cpu_step_operations(StepOperationsMaker make) { cpu_operations() = make; }

}  // namespace nmt
