#pragma once

#include <filesystem>
#include <string>

#include "checkpoint/model_parts.h"
#include "checkpoint/safetensors.h"

namespace nmt {

/// A model as it is stored, in a directory or in a packed file, verified but not yet understood.
struct ModelFiles {
  std::filesystem::path path;
  ModelParts parts;
  TensorFile weights;  // in the stored precision; they share the file's mapping

  /// What messages call a file of a directory, or what stands for it in a packed file.
  std::string name_of(const std::string& file) const;
};

/// Throws Error that names the file and what is wrong: it is missing, damaged, of a newer version.
ModelFiles read_model_files(const std::filesystem::path& path);

/// Writes a model directory of float32 weights. The folder must not hold a model. Throws Error.
void write_model_directory(const ModelDirectory& directory, const ModelParts& parts,
                           const TensorFile& weights);

}  // namespace nmt
