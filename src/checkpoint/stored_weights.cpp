#include "checkpoint/stored_weights.h"

#include <cstring>
#include <set>
#include <string_view>

#include "checkpoint/parameter_shapes.h"
#include "errors/error.h"

namespace nmt {
namespace {

bool is_floating(const std::string& dtype) {
  return dtype == "F32" || dtype == "F16" || dtype == "BF16" || dtype == "F64";
}

[[noreturn]] void refuse_shape(const StoredTensors& file, const TensorEntry& found,
                               const std::vector<int64_t>& expected) {
  throw Error(file.path + ": " + found.name + " has shape " + shape_text(found.shape) +
              ", but config.yaml and the vocabularies need " + shape_text(expected));
}

void require_parameter(const StoredTensors& file, const ParameterShape& parameter) {
  const auto& stored = file.at(parameter.name);
  if (stored.shape != parameter.shape) refuse_shape(file, stored, parameter.shape);
  if (is_floating(stored.dtype)) return;
  if (stored.dtype != "I8" || stored.shape.size() != 2) {
    throw Error(file.path + ": " + parameter.name + " is stored as " + stored.dtype +
                "; floating-point numbers are expected");
  }
  const auto& scales = file.at(scale_name(parameter.name));
  if (scales.dtype != "F32") throw Error(file.path + ": " + scales.name + " is not float32");
  if (scales.shape != std::vector<int64_t>{stored.shape[0]}) {
    refuse_shape(file, scales, {stored.shape[0]});
  }
}

/// Converts the numbers of type Stored in `bytes`, which need not be aligned.
template <typename Stored, typename Convert>
std::vector<float> converted(std::string_view bytes, const Convert& convert) {
  std::vector<float> values(bytes.size() / sizeof(Stored));
  for (size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = convert(stored);
  }
  return values;
}

float float_of(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

constexpr uint32_t kExponent = 0x7F800000;  // all ones if a float32 is infinite or NaN

/// binary16 has 5 exponent bits with bias 15, binary32 has 8 with bias 127: the factor 2^(127-15)
/// corrects the bias, for subnormal numbers too.
float from_float16(uint16_t bits) {
  const uint32_t magnitude = (bits & 0x7FFFU) << 13;
  const bool finite = (bits & 0x7C00U) != 0x7C00U;
  const float value = finite ? float_of(magnitude) * 0x1p112F : float_of(magnitude | kExponent);
  return (bits & 0x8000U) != 0 ? -value : value;
}

float from_bfloat16(uint16_t bits) { return float_of(static_cast<uint32_t>(bits) << 16); }

std::vector<float> float_values(std::string_view bytes, const std::string& dtype) {
  if (dtype == "F16") return converted<uint16_t>(bytes, from_float16);
  if (dtype == "BF16") return converted<uint16_t>(bytes, from_bfloat16);
  if (dtype == "F64") {
    return converted<double>(bytes, [](double value) { return static_cast<float>(value); });
  }
  return converted<float>(bytes, [](float value) { return value; });
}

/// integers [R, C], scales [R] -> values [R, C]
std::vector<float> dequantized(std::string_view integers, const std::vector<float>& scales) {
  std::vector<float> values(integers.size());
  const size_t columns = scales.empty() ? 0 : values.size() / scales.size();
  for (size_t row = 0; row < scales.size(); ++row) {
    for (size_t i = row * columns; i < (row + 1) * columns; ++i) {
      values[i] = static_cast<float>(static_cast<int8_t>(integers[i])) * scales[row];
    }
  }
  return values;
}

bool all_finite(const float* values, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, values + i, sizeof(bits));
    finite &= (bits & kExponent) != kExponent;
  }
  return finite;
}

}  // namespace

std::string scale_name(const std::string& parameter) { return parameter + ".scale"; }

void require_weights_of(const Seq2SeqOptions& options, const StoredTensors& file) {
  const auto parameters = parameter_shapes(options);
  std::set<std::string> known;
  for (const auto& parameter : parameters) {
    known.insert(parameter.name);
    if (parameter.shape.size() == 2) known.insert(scale_name(parameter.name));
  }
  for (const auto& tensor : file.header.tensors) {
    if (known.count(tensor.name) > 0) continue;
    throw Error(file.path + ": holds " + quoted(tensor.name) +
                ", which the model that config.yaml describes has not");
  }
  for (const auto& parameter : parameters) require_parameter(file, parameter);
}

StoredWeights::StoredWeights(const Seq2SeqOptions& options, const StoredTensors& file)
    : file_(file.file) {
  require_weights_of(options, file);
  for (const auto& parameter : parameter_shapes(options)) {
    const auto& entry = file.at(parameter.name);
    const float* data = read(file, entry);
    size_t count = 1;
    for (const int64_t size : entry.shape) count *= static_cast<size_t>(size);
    if (!all_finite(data, count)) {
      throw Error(file.path + ": " + entry.name +
                  " holds values that are not finite; the run that trained it diverged");
    }
    values_[entry.name] = {data, entry.shape};
  }
}

const float* StoredWeights::read(const StoredTensors& file, const TensorEntry& entry) {
  const auto bytes = file.bytes(entry);
  const bool aligned = reinterpret_cast<uintptr_t>(bytes.data()) % alignof(float) == 0;
  if (entry.dtype == "F32" && aligned) return reinterpret_cast<const float*>(bytes.data());
  if (entry.dtype == "I8") {
    const auto& scales = file.at(scale_name(entry.name));
    copies_.push_back(dequantized(bytes, float_values(file.bytes(scales), scales.dtype)));
  } else {
    copies_.push_back(float_values(bytes, entry.dtype));
  }
  return copies_.back().data();
}

}  // namespace nmt
