#include "export/state_dict.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <set>
#include <vector>

#include "checkpoint/parameter_shapes.h"
#include "checkpoint/weights.h"
#include "config/choice.h"
#include "config/settings_io.h"
#include "errors/error.h"

namespace nmt {
namespace {

constexpr size_t kProblemsShown = 4;

/// The names under which the network has the matrices that it ties, the file's own choice first.
std::vector<std::string> names_of(const std::string& name, TiedEmbeddings tied) {
  const std::vector<std::string> target = {"emb_dec.weight", "generator.output.weight"};
  const std::vector<std::string> all = {"emb_src.weight", "emb_dec.weight",
                                        "generator.output.weight"};
  const auto& group = tied == TiedEmbeddings::kAll ? all : target;
  const bool shared =
      tied != TiedEmbeddings::kNone && std::find(group.begin(), group.end(), name) != group.end();
  std::vector<std::string> names = {name};
  if (shared) names.insert(names.end(), group.begin(), group.end());
  return names;
}

/// The tensor of that name, or of another name of the same tied matrix; null when there is none.
const torch::Tensor* find_tied(const TensorFile& file, const std::string& name,
                               TiedEmbeddings tied) {
  for (const auto& candidate : names_of(name, tied)) {
    if (const auto* tensor = file.find(candidate)) return tensor;
  }
  return nullptr;
}

/// What is wrong with the file's tensor for this parameter; empty if nothing is.
std::string problem_of(const TensorFile& file, const ParameterShape& parameter,
                       TiedEmbeddings tied) {
  const auto& name = parameter.name;
  const auto* tensor = find_tied(file, name, tied);
  const auto expected = "expected " + shape_text(parameter.shape);
  if (tensor == nullptr) return name + " is missing (" + expected + ")";
  if (!tensor->is_floating_point()) {
    return name + " is of dtype " + c10::toString(tensor->scalar_type()) +
           " (expected floating-point numbers)";
  }
  if (tensor->sizes() != parameter.shape) {
    return name + " has shape " + shape_text(tensor->sizes().vec()) + " (" + expected + ")";
  }
  if (!tensor->to(torch::kFloat).isfinite().all().item<bool>()) {
    return name + " holds numbers that are not finite in float32";
  }
  const auto others = names_of(name, tied);
  const auto other = std::find_if(others.begin(), others.end(), [&](const auto& twin_name) {
    const auto* twin = file.find(twin_name);
    return twin != nullptr && !torch::equal(*twin, *tensor);
  });
  if (other == others.end()) return "";
  return name + " and " + *other + " differ, though tied_embeddings makes them one matrix";
}

std::vector<std::string> problems_of(const TensorFile& file, const Seq2SeqOptions& options) {
  std::vector<std::string> problems;
  std::set<std::string> known;
  for (const auto& parameter : parameter_shapes(options)) {
    known.insert(parameter.name);
    const auto problem = problem_of(file, parameter, options.tied_embeddings);
    if (!problem.empty()) problems.push_back(problem);
  }
  for (const auto& tensor : file.tensors) {
    if (known.count(tensor.name) == 0) problems.push_back(tensor.name + " is unexpected");
  }
  return problems;
}

std::string joined(const std::vector<std::string>& problems) {
  if (problems.size() <= kProblemsShown) return list_of(problems, "; ");
  return list_of({problems.begin(), problems.begin() + kProblemsShown}, "; ") + "; and " +
         std::to_string(problems.size() - kProblemsShown) + " more";
}

}  // namespace

std::map<std::string, std::string> describe_export(const Model& model) {
  return {{"format", "nmt"},
          {"nmt_version", NMT_VERSION},
          {"settings", to_yaml(model.settings, /*with_comments=*/false)},
          {"source_vocabulary_size", std::to_string(model.source.vocabulary_size())},
          {"target_vocabulary_size", std::to_string(model.target.vocabulary_size())}};
}

Seq2Seq load_state_dict(const TensorFile& file, const Seq2SeqOptions& options,
                        const std::string& expected_by) {
  const auto problems = problems_of(file, options);
  if (!problems.empty()) {
    throw Error(file.path + ": does not fit " + expected_by + ": " + joined(problems));
  }
  auto network = make_seq2seq(options);
  const at::NoGradGuard no_gradients;
  for (const auto& parameter : network->named_parameters()) {
    parameter.value().copy_(*find_tied(file, parameter.key(), options.tied_embeddings));
  }
  return network;
}

Seq2Seq reload_same_weights(const TensorFile& file, const Seq2Seq& network) {
  auto reloaded = load_state_dict(file, network->options(), "the model");
  for (const auto& entry : pack_weights(network, Precision::kF32)) {
    if (torch::equal(file.at(entry.name), entry.tensor)) continue;
    throw Error(file.path + ": " + entry.name + " was not written as it is");
  }
  reloaded->eval();
  return reloaded;
}

}  // namespace nmt
