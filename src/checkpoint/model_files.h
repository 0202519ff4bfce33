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

  /// The name in messages of a directory's file, or of its counterpart in a packed file.
  std::string name_of(const std::string& file) const;
};

/// Whether the path names a directory or a file with the form of a packed model, unlike text.
bool may_be_model(const std::filesystem::path& path);

/// Throws Error when a file is missing, damaged or of a newer version. `weights`: of their file;
/// `confidence`: of a directory.
ModelFiles read_model_files(const std::filesystem::path& path, Checksum weights = Checksum::kVerify,
                            Confidence confidence = Confidence::kRead);

}  // namespace nmt
