#include <ATen/ATen.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "config/settings_io.h"
#include "export/export_format.h"
#include "export/state_dict.h"
#include "export/torchscript_fragments.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

/// The class name of the module at `path` within the model.
std::string class_name(std::string path) {
  std::replace(path.begin(), path.end(), '.', '_');
  return path.empty() ? "Seq2Seq" : "Seq2Seq_" + path;
}

/// The parameters of a module and of those within it, under the same names, with the methods that
/// `programs` has for it. `path` is the module's name within the model.
torch::jit::Module script_of(const torch::nn::Module& module, const std::string& path,
                             const std::map<std::string, std::string>& programs) {
  torch::jit::Module script(class_name(path));
  for (const auto& parameter : module.named_parameters(/*recurse=*/false)) {
    const auto values = parameter.value().detach().to(torch::kCPU, torch::kFloat);
    script.register_parameter(parameter.key(), values, /*is_buffer=*/false);
  }
  for (const auto& child : module.named_children()) {
    const auto name = (path.empty() ? "" : path + ".") + child.key();
    if (child.value()->parameters().empty() && programs.count(name) == 0) continue;
    script.register_module(child.key(), script_of(*child.value(), name, programs));
  }
  // The model's own program uses attributes that are not registered yet; script_of(model) defines
  // it later.
  if (!path.empty() && programs.count(path) != 0) script.define(programs.at(path));
  return script;
}

torch::jit::Module script_of(const Model& model) {
  const auto programs = torchscript_programs(model.network->options());
  auto script = script_of(*model.network, "", programs);
  const auto add = [&](const char* name, int64_t value) {
    script.register_attribute(name, c10::IntType::get(), value);
  };
  add("source_vocabulary_size", model.source.vocabulary_size());
  add("target_vocabulary_size", model.target.vocabulary_size());
  add("pad_id", kPadId);
  add("unknown_id", kUnknownId);
  add("bos_id", kBosId);
  add("eos_id", kEosId);
  script.define(programs.at(""));
  script.eval();
  return script;
}

void write_torchscript_export(const Model& model, std::ostream& stream) {
  torch::jit::ExtraFilesMap files;
  files["nmt_version"] = NMT_VERSION;
  files["config.yaml"] = to_yaml(model.settings, /*with_comments=*/false);
  files["source.spm"] = model.source.bytes();
  files["target.spm"] = model.target.bytes();
  // Through memory, because LibTorch's writer terminates the program if the disk is full.
  std::ostringstream archive;
  script_of(model).save(archive, files);
  stream << archive.str();
}

TensorFile state_dict_of(const torch::jit::Module& script, const std::filesystem::path& path) {
  TensorFile file;
  file.path = path.string();
  for (const auto& parameter : script.named_parameters()) {
    file.tensors.push_back({parameter.name, parameter.value});
  }
  return file;
}

/// The module's own encode and step.
class ScriptStepper : public Stepper {
 public:
  explicit ScriptStepper(const torch::jit::Module& script) : script_(script) {}

  void start(const torch::Tensor& source, const torch::Tensor& lengths) override {
    const auto encoded = script_.get_method("encode")({source, lengths}).toTuple();
    states_ = encoded->elements()[0].toTensor();
    padding_ = encoded->elements()[1].toTensor();
    state_ = encoded->elements()[2].toTensorVector();
  }

  StepperOutput advance(const torch::Tensor& tokens) override {
    const auto step = script_.get_method("step")({tokens, state_, states_, padding_}).toTuple();
    state_ = step->elements()[1].toTensorVector();
    return {step->elements()[0].toTensor(), step->elements()[2].toTensor()};
  }

  void select(const torch::Tensor& rows, const torch::Tensor& sentences) override {
    for (auto& tensor : state_) tensor = tensor.index_select(1, rows);
    states_ = states_.index_select(0, sentences);
    padding_ = padding_.index_select(0, sentences);
  }

  torch::Device device() const override { return torch::kCPU; }

 private:
  // The optimizer would specialize the program for every length: minutes with LibTorch 2.
  torch::jit::GraphOptimizerEnabledGuard unoptimized_{false};
  torch::jit::Module script_;
  std::vector<torch::Tensor> state_;  // [.., N, ..] each
  torch::Tensor states_;              // [B, S, M]
  torch::Tensor padding_;             // [B, S]
};

ReloadedModel reload_torchscript(const std::filesystem::path& path, const Model& model) {
  // Optimizing for every sentence length takes longer than running the script once.
  torch::jit::setGraphExecutorOptimize(false);
  auto script = torch::jit::load(path.string());
  reload_same_weights(state_dict_of(script, path), model.network);
  const auto greedy = [script](const torch::Tensor& source, const torch::Tensor& lengths) {
    return script.get_method("greedy")({source, lengths}).toTuple()->elements()[0].toTensor();
  };
  return {std::make_unique<ScriptStepper>(script), greedy};
}

}  // namespace

ExportFormat torchscript_format() {
  return {"torchscript", "a program for torch.jit.load that translates token ids",
          write_torchscript_export, reload_torchscript};
}

}  // namespace nmt
