// The kernels of a GPU on the CPU, where they are compiled as C++ and run one thread after the
// other.

#include "nn/cpu_step_operations.h"

#include "nn/cuda/kernels.cu"

namespace nmt {
namespace {

template <typename T>
T* number_in(const DeviceRows& matrix, int64_t row, int64_t column) {
  return static_cast<T*>(matrix.data) + row * matrix.stride + column;
}

class CpuOperations : public StepKernels<false> {
 public:
  explicit CpuOperations(StepDtype number) : StepKernels(number, nullptr), number_(number) {}

  void multiply(const StepProduct& product) override {
    number_ == StepDtype::kFloat16 ? multiply_as<c10::Half>(product) : multiply_as<float>(product);
  }

 private:
  template <typename T>
  static void multiply_as(const StepProduct& product) {
    for (int64_t n = 0; n < product.batch; ++n) {
      for (int64_t row = 0; row < product.rows; ++row) {
        for (int64_t column = 0; column < product.columns; ++column) {
          double sum = 0.0;
          for (int64_t k = 0; k < product.depth; ++k) {
            const T* b = product.transpose_b ? number_in<T>(product.b, column, k)
                                             : number_in<T>(product.b, k, column);
            sum += double{number_in<T>(product.a, row, k)[n * product.batch_a]} *
                   double{b[n * product.batch_b]};
          }
          T* c = number_in<T>(product.c, row, column) + n * product.batch_c;
          *c = static_cast<float>(product.accumulate ? double{*c} + sum : sum);
        }
      }
    }
  }

  StepDtype number_;
};

std::unique_ptr<StepOperations> make_cpu_operations(StepDtype number) {
  return std::make_unique<CpuOperations>(number);
}

}  // namespace

CpuKernels::CpuKernels() { set_cpu_step_operations(make_cpu_operations); }

CpuKernels::~CpuKernels() { set_cpu_step_operations(nullptr); }

}  // namespace nmt
