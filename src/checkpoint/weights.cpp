#include "checkpoint/weights.h"

#include <ATen/ATen.h>

#include <set>
#include <sstream>

#include "checkpoint/parameter_shapes.h"
#include "support/error.h"

namespace nmt {
namespace {

constexpr double kLargestInt8 = 127.0;

std::string shape_text(at::IntArrayRef shape) {
  std::ostringstream text;
  text << shape;
  return text.str();
}

std::string scale_name(const std::string& parameter) { return parameter + ".scale"; }

bool is_quantized(const torch::Tensor& tensor) { return tensor.scalar_type() == at::kChar; }

void require_finite(const std::string& name, const torch::Tensor& tensor) {
  if (torch::isfinite(tensor).all().item<bool>()) return;
  throw Error(name + ": holds values that are no numbers, or too large for the precision");
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

torch::Tensor values_of(const TensorFile& file, const std::string& name) {
  const auto& stored = file.at(name);
  if (!is_quantized(stored)) return stored;
  return stored.to(at::kFloat) * file.at(scale_name(name)).unsqueeze(1);
}

[[noreturn]] void refuse_shape(const TensorFile& file, const std::string& name,
                               at::IntArrayRef found, at::IntArrayRef expected) {
  throw Error(file.path + ": " + name + " has shape " + shape_text(found) +
              ", config.yaml and the vocabularies say " + shape_text(expected));
}

void require_parameter(const TensorFile& file, const ParameterShape& parameter) {
  const auto& stored = file.at(parameter.name);
  if (stored.sizes() != at::IntArrayRef(parameter.shape)) {
    refuse_shape(file, parameter.name, stored.sizes(), parameter.shape);
  }
  if (at::isFloatingType(stored.scalar_type())) return;
  if (!is_quantized(stored) || stored.dim() != 2) {
    throw Error(file.path + ": " + parameter.name + " is stored as " +
                c10::toString(stored.scalar_type()) + "; floating-point numbers are expected");
  }
  const auto& scales = file.at(scale_name(parameter.name));
  if (scales.scalar_type() != at::kFloat) {
    throw Error(file.path + ": " + scale_name(parameter.name) + " is not float32");
  }
  if (scales.sizes() != stored.sizes().slice(0, 1)) {
    refuse_shape(file, scale_name(parameter.name), scales.sizes(), stored.sizes().slice(0, 1));
  }
}

}  // namespace

Precision parse_precision(const std::string& name) {
  if (name == "f32") return Precision::kF32;
  if (name == "f16") return Precision::kF16;
  if (name == "int8") return Precision::kInt8;
  throw UsageError("--precision " + name + ": it has to be f32, f16 or int8");
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

void require_weights_of(const Seq2SeqOptions& options, const TensorFile& file) {
  const auto parameters = parameter_shapes(options);
  std::set<std::string> known;
  for (const auto& parameter : parameters) {
    known.insert(parameter.name);
    if (parameter.shape.size() == 2) known.insert(scale_name(parameter.name));
  }
  for (const auto& tensor : file.tensors) {
    if (known.count(tensor.name) > 0) continue;
    throw Error(file.path + ": holds " + quoted(tensor.name) +
                ", which the model that config.yaml describes has not");
  }
  for (const auto& parameter : parameters) require_parameter(file, parameter);
}

void fill_weights(const Seq2Seq& network, const TensorFile& file) {
  const at::NoGradGuard no_gradients;
  require_weights_of(network->options(), file);
  for (const auto& parameter : network->named_parameters()) {
    const auto values = values_of(file, parameter.key());
    if (!at::isfinite(values).all().item<bool>()) {
      throw Error(file.path + ": " + parameter.key() +
                  " holds values that are not finite; the training that made it diverged");
    }
    parameter.value().copy_(values);
  }
}

}  // namespace nmt
