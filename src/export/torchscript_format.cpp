#include <ATen/ATen.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <ostream>
#include <sstream>
#include <utility>

#include "config/settings_io.h"
#include "export/export_format.h"
#include "export/state_dict.h"
#include "export/torchscript_program.h"
#include "support/error.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

/// The parameters of a module and of those within it, under the same names.
torch::jit::Module parameters_of(const torch::nn::Module& module, const std::string& name) {
  torch::jit::Module script(name);
  for (const auto& parameter : module.named_parameters(/*recurse=*/false)) {
    const auto values = parameter.value().detach().to(torch::kCPU, torch::kFloat);
    script.register_parameter(parameter.key(), values, /*is_buffer=*/false);
  }
  for (const auto& child : module.named_children()) {
    if (child.value()->parameters().empty()) continue;
    script.register_module(child.key(), parameters_of(*child.value(), name + "_" + child.key()));
  }
  return script;
}

torch::jit::Module script_of(const Model& model) {
  auto script = parameters_of(*model.network, "Seq2Seq");
  const auto add = [&](const char* name, int64_t value) {
    script.register_attribute(name, c10::IntType::get(), value);
  };
  add("source_vocabulary_size", model.source.vocabulary_size());
  add("target_vocabulary_size", model.target.vocabulary_size());
  add("pad_id", kPadId);
  add("unknown_id", kUnknownId);
  add("bos_id", kBosId);
  add("eos_id", kEosId);
  script.define(torchscript_program(model.network->options()));
  script.eval();
  return script;
}

void write_torchscript_export(const Model& model, std::ostream& stream) {
  torch::jit::ExtraFilesMap files;
  files["nmt_version"] = NMT_VERSION;
  files["config.yaml"] = to_yaml(model.settings, /*with_comments=*/false);
  files["source.spm"] = model.source.bytes();
  files["target.spm"] = model.target.bytes();
  // By way of memory: LibTorch's writer ends the program when a disk is full.
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
  explicit ScriptStepper(torch::jit::Module script) : script_(std::move(script)) {}

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
  torch::jit::Module script_;
  std::vector<torch::Tensor> state_;  // [.., N, H] each
  torch::Tensor states_;              // [B, S, H]
  torch::Tensor padding_;             // [B, S]
};

ReloadedModel reload_torchscript(const std::filesystem::path& path, const Model& model) {
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
