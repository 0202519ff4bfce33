#include "nn/device.h"

#include <ATen/Context.h>
#include <torch/cuda.h>

#include <optional>

#include "errors/error.h"
#include "numbers/parse.h"

namespace nmt {

torch::Device find_device(const std::string& name, int64_t available) {
  if (name == "cpu") return torch::kCPU;
  const std::string numbered = "cuda:";
  const bool has_index = name.rfind(numbered, 0) == 0;
  // Parsed here, because torch::Device reads cuda:256 as cuda:0.
  const auto index =
      has_index ? parse_number<uint32_t>(name.substr(numbered.size())) : std::optional<uint32_t>(0);
  if ((name != "cuda" && !has_index) || !index) {
    throw Error("device '" + name + "': unknown; use cpu, cuda or cuda:N");
  }
  if (available == 0) {
    throw Error("device '" + name + "': LibTorch finds no CUDA device; use cpu");
  }
  if (*index >= available) {
    throw Error("device '" + name +
                "': not found; the last is cuda:" + std::to_string(available - 1));
  }
  if (!has_index) return torch::kCUDA;
  return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(*index));
}

torch::Device open_device(const std::string& name) {
  const auto available = name == "cpu" ? 0 : static_cast<int64_t>(torch::cuda::device_count());
  const auto device = find_device(name, available);
  if (device.is_cuda()) at::globalContext().setAllowTF32CuDNN(false);
  return device;
}

}  // namespace nmt
