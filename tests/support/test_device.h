#pragma once

// Tests of tensors compute on the device that NMT_TEST_DEVICE names, without it on the CPU. They
// draw weights and inputs on the CPU and then move them, so that every device gets the same ones.

#include "support/torch_catch.h"
// Before anything else: Catch2's CHECK must win over LibTorch's.
#include <ATen/ATen.h>

#include <algorithm>
#include <cstdlib>

#include "nn/device.h"
#include "support/test_device_name.h"

namespace nmt {

/// Throws Error for a name that is no device, or a device that this machine lacks: the test fails.
inline torch::Device test_device() {
  static const torch::Device device = open_device(test_device_name());
  return device;
}

inline torch::Tensor on_device(const torch::Tensor& tensor) { return tensor.to(test_device()); }

/// The tolerance of float32 numbers on the CPU, or the wider one of a GPU, whose sums have another
/// order and whose exponentials are cuDNN's.
inline double tolerance(double on_cpu, double on_gpu = 1e-4) {
  return test_device().is_cpu() ? on_cpu : std::max(on_cpu, on_gpu);
}

/// torch::allclose() of tensors on any devices, in float32 with tolerance().
inline bool all_close(const torch::Tensor& found, const torch::Tensor& expected,
                      double relative = 1e-5, double absolute = 1e-8) {
  if (found.scalar_type() == torch::kFloat) {
    relative = tolerance(relative);
    absolute = tolerance(absolute, 1e-5);
  }
  return torch::allclose(found.cpu(), expected.cpu(), relative, absolute);
}

/// While it lives, a GPU computes the same bits every time where LibTorch can.
class SameBits {
 public:
  SameBits() {
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/1);  // or LibTorch warns
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
  }
  ~SameBits() { at::globalContext().setDeterministicAlgorithms(false, /*warn_only=*/false); }
  SameBits(const SameBits&) = delete;
  SameBits& operator=(const SameBits&) = delete;
};

}  // namespace nmt
