#include "checkpoint/weights.h"

#include <ATen/ATen.h>

#include "checkpoint/stored_weights.h"
#include "errors/error.h"

namespace nmt {
namespace {

constexpr double kLargestInt8 = 127.0;

void require_finite(const std::string& name, const torch::Tensor& tensor) {
  if (torch::isfinite(tensor).all().item<bool>()) return;
  throw Error(name + ": holds values that are not numbers, or too large for the precision");
}

/// values [R, C] -> integers [R, C] and scales [R]: value ≈ integer · scale
void quantize(const std::string& name, const torch::Tensor& values,
              std::vector<NamedTensor>& tensors) {
  const auto scales = std::get<0>(values.abs().max(1)) / kLargestInt8;                    // [R]
  const auto divisors = torch::where(scales > 0, scales, torch::ones({1})).unsqueeze(1);  // [R, 1]
  const auto integers = torch::round(values / divisors).clamp(-kLargestInt8, kLargestInt8);
  tensors.push_back({name, integers.to(at::kChar)});
  tensors.push_back({scale_name(name), scales});
}

}  // namespace

Precision parse_precision(const std::string& name) {
  if (name == "f32") return Precision::kF32;
  if (name == "f16") return Precision::kF16;
  if (name == "int8") return Precision::kInt8;
  throw UsageError("--precision " + name + ": unknown precision; use f32, f16 or int8");
}

std::vector<NamedTensor> pack_weights(const Seq2Seq& network, Precision precision) {
  std::vector<NamedTensor> tensors;
  for (const auto& parameter : network->named_parameters()) {
    auto values = parameter.value().detach().to(torch::kCPU, torch::kFloat).contiguous();
    if (precision == Precision::kF16) values = values.to(at::kHalf);
    if (precision != Precision::kF32) require_finite(parameter.key(), values);
    if (precision == Precision::kInt8 && values.dim() == 2) {
      quantize(parameter.key(), values, tensors);
    } else {
      tensors.push_back({parameter.key(), values});
    }
  }
  return tensors;
}

void fill_weights(const Seq2Seq& network, const StoredTensors& file) {
  const at::NoGradGuard no_gradients;
  const StoredWeights weights(network->options(), file);
  for (const auto& parameter : network->named_parameters()) {
    const auto& values = weights.all().at(parameter.key());
    // The const_cast is safe: the tensor is only read, and LibTorch has no constant tensors.
    parameter.value().copy_(at::from_blob(const_cast<float*>(values.data), values.shape));
  }
}

}  // namespace nmt
