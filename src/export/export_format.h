#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint/model.h"
#include "decode/stepper.h"

namespace nmt {

/// An export read back, ready to be compared with the model that it was written from.
struct ReloadedModel {
  std::unique_ptr<Stepper> stepper;

  /// Greedy search as the export itself does it: source [B, S], lengths [B] -> tokens [B, T]
  /// without BOS and EOS, padded with kPadId. Empty if the export holds only weights.
  std::function<torch::Tensor(const torch::Tensor& source, const torch::Tensor& lengths)> greedy;
};

/// One format of `nmt export --to NAME`.
struct ExportFormat {
  std::string name;
  std::string meaning;  // for --help

  /// Writes the file's bytes.
  void (*write)(const Model& model, std::ostream& stream);

  /// Reads the file back. Throws Error unless it holds the model's weights, bit for bit.
  ReloadedModel (*reload)(const std::filesystem::path& path, const Model& model);
};

// Each is defined in a file of its own.
ExportFormat safetensors_format();
ExportFormat torchscript_format();

/// All formats. To add one, write its file and list it here.
inline std::vector<ExportFormat> export_formats() {
  return {safetensors_format(), torchscript_format()};
}

}  // namespace nmt
