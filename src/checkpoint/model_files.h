#pragma once

#include <filesystem>
#include <string>

#include "checkpoint/model_parts.h"
#include "checkpoint/stored_tensors.h"

namespace nmt {

/// A stored model, of a directory or a packed file, verified but not yet parsed.
struct ModelFiles {
  std::filesystem::path path;
  ModelParts parts;
  StoredTensors weights;

  /// The name in messages of a directory's file, or of the same part in a packed file.
  std::string name_of(const std::string& file) const;
};

/// Whether the path is a directory, or a file that begins like a packed model, which text cannot.
bool may_be_model(const std::filesystem::path& path);

/// Throws Error if a file is missing, damaged or of a newer version. `weights`: whether to verify
/// the file of the weights; `confidence` affects only directories.
ModelFiles read_model_files(const std::filesystem::path& path, Checksum weights = Checksum::kVerify,
                            Confidence confidence = Confidence::kRead);

}  // namespace nmt
