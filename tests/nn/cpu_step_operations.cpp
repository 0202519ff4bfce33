// The kernels of a GPU on the CPU, where they are compiled as C++ and run one thread after the
// other.

#include "nn/cpu_step_operations.h"

#include "nn/cuda/kernels.cu"

namespace nmt {
namespace {

const float* number_in(const DeviceRows& matrix, int64_t row, int64_t column) {
  return static_cast<const float*>(matrix.data) + row * matrix.stride + column;
}

class CpuOperations : public StepKernels<false> {
 public:
  CpuOperations() : StepKernels(StepNumber::kFloat32, nullptr) {}

  void multiply(const StepProduct& product) override {
    for (int64_t n = 0; n < product.batch; ++n) {
      for (int64_t row = 0; row < product.rows; ++row) {
        for (int64_t column = 0; column < product.columns; ++column) {
          double sum = 0.0;
          for (int64_t k = 0; k < product.depth; ++k) {
            const float* b = product.transpose_b ? number_in(product.b, column, k)
                                                 : number_in(product.b, k, column);
            sum += double{number_in(product.a, row, k)[n * product.batch_a]} *
                   double{b[n * product.batch_b]};
          }
          auto* c = static_cast<float*>(product.c.data) + row * product.c.stride + column +
                    n * product.batch_c;
          *c = static_cast<float>(product.accumulate ? double{*c} + sum : sum);
        }
      }
    }
  }
};

std::unique_ptr<StepOperations> make_cpu_operations() { return std::make_unique<CpuOperations>(); }

}  // namespace

CpuKernels::CpuKernels() { set_cpu_step_operations(make_cpu_operations); }

CpuKernels::~CpuKernels() { set_cpu_step_operations(nullptr); }

}  // namespace nmt
