#include "train/steps/named_parameters.h"

#include <ATen/ATen.h>
#include <fnmatch.h>
#include <spdlog/fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "errors/error.h"
#include "numbers/parse.h"

namespace nmt {

std::vector<NamedTensor> unique_named_parameters(const Seq2Seq& model) {
  std::set<const void*> seen;
  std::vector<NamedTensor> parameters;
  for (const auto& item : model->named_parameters()) {
    if (!seen.insert(item.value().unsafeGetTensorImpl()).second) continue;
    parameters.push_back({item.key(), item.value().detach()});
  }
  return parameters;
}

std::vector<torch::Tensor> unique_parameters_of(const std::vector<Seq2Seq>& models) {
  std::vector<torch::Tensor> parameters;
  for (const auto& model : models) {
    for (auto& parameter : unique_parameters(*model)) parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::vector<double> learning_rate_factors(const Seq2Seq& model, OptimizerKind optimizer) {
  std::map<std::string, double> scales;
  for (const auto& item : model->named_modules("", /*include_self=*/false)) {
    const auto* attention = dynamic_cast<const AttentionImpl*>(item.value().get());
    if (attention == nullptr || optimizer == OptimizerKind::kSgd) continue;
    for (const auto& [name, scale] : attention->learning_scales()) {
      scales[item.key() + "." + name] = scale;
    }
  }
  std::vector<double> factors;
  for (const auto& parameter : unique_named_parameters(model)) {
    const auto found = scales.find(parameter.name);
    factors.push_back(found == scales.end() ? 1.0 : found->second);
  }
  return factors;
}

std::vector<bool> frozen_parameters(const std::vector<std::string>& names,
                                    const std::vector<std::string>& patterns) {
  std::vector<bool> frozen(names.size());
  for (const auto& pattern : patterns) {
    bool matches = false;
    for (size_t i = 0; i < names.size(); ++i) {
      if (::fnmatch(pattern.c_str(), names[i].c_str(), 0) != 0) continue;
      frozen[i] = matches = true;
    }
    if (matches) continue;
    throw Error(
        fmt::format("train.freeze: '{}' matches no parameter; use names or patterns of these: {}",
                    pattern, fmt::join(names, ", ")));
  }
  if (std::find(frozen.begin(), frozen.end(), false) == frozen.end()) {
    throw Error("train.freeze: nothing is left to train; leave out a parameter");
  }
  return frozen;
}

void add_tensors(TensorFile& file, const std::string& prefix,
                 const std::vector<NamedTensor>& tensors) {
  const auto start = prefix + ".";
  for (const auto& [name, tensor] : tensors) {
    file.tensors.push_back({start + name, tensor.to(torch::kCPU)});
  }
}

void read_tensors(const TensorFile& file, const std::string& prefix,
                  const std::vector<NamedTensor>& into) {
  const auto start = prefix + ".";
  for (const auto& [name, tensor] : into) {
    const auto& found = file.at(start + name);
    if (found.sizes() != tensor.sizes()) {
      std::ostringstream message;
      message << file.path << ": " << start << name << " has shape " << found.sizes()
              << ", the settings require " << tensor.sizes();
      throw Error(message.str());
    }
    auto target = tensor;
    target.copy_(found);
  }
}

int64_t read_count(const TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  const auto count =
      found == file.metadata.end() ? std::nullopt : parse_number<int64_t>(found->second);
  if (count.value_or(-1) >= 0) return *count;
  throw Error(file.path + ": " + key + " is missing or not a number");
}

}  // namespace nmt
