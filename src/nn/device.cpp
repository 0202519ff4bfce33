#include "nn/device.h"

#include <ATen/Context.h>
#include <torch/cuda.h>

#include "errors/error.h"

namespace nmt {

torch::Device open_device(const std::string& name) {
  const bool cuda = name.rfind("cuda", 0) == 0;
  if (name != "cpu" && !cuda) {
    throw Error("device '" + name + "': unknown; use cpu, cuda or cuda:N");
  }
  try {
    const torch::Device device(name);
    const auto available = static_cast<int64_t>(torch::cuda::device_count());
    if (cuda && available == 0) {
      throw Error("device '" + name + "': LibTorch finds no CUDA device; use cpu");
    }
    if (cuda && device.has_index() && device.index() >= available) {
      throw Error("device '" + name +
                  "': not found; the last is cuda:" + std::to_string(available - 1));
    }
    if (cuda) at::globalContext().setAllowTF32CuDNN(false);
    return device;
  } catch (const c10::Error&) {
    throw Error("device '" + name + "': unknown; use cpu, cuda or cuda:N");
  }
}

}  // namespace nmt
