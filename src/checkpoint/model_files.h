#pragma once

#include <filesystem>
#include <string>

#include "checkpoint/model_parts.h"
#include "checkpoint/stored_tensors.h"

namespace nmt {

/// A model as it is stored, in a directory or in a packed file, verified but not yet understood.
struct ModelFiles {
  std::filesystem::path path;
  ModelParts parts;
  StoredTensors weights;

  /// What messages call a file of a directory, or what stands for it in a packed file.
  std::string name_of(const std::string& file) const;
};

/// Whether the path is that of a folder or has the form of a packed model: not of text, say.
bool may_be_model(const std::filesystem::path& path);

/// Throws Error that names the file and what is wrong: it is missing, damaged, of a newer version.
ModelFiles read_model_files(const std::filesystem::path& path);

}  // namespace nmt
