#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "checkpoint/safetensors_header.h"
#include "files/mapped_file.h"

namespace nmt {

/// A safetensors file (docs/model-format.md), parsed; its tensors are read in place. Without
/// LibTorch.
struct StoredTensors {
  std::string path;  // for messages
  std::shared_ptr<MappedFile> file;
  SafetensorsHeader header;

  /// Throws Error for an unknown name.
  const TensorEntry& at(const std::string& name) const;

  /// The bytes of one of its tensors, row-major; not aligned.
  std::string_view bytes(const TensorEntry& entry) const;
};

/// Whether to verify a file's checksum, if it has one, which reads the whole file.
enum class Checksum { kVerify, kSkip };

/// A damaged or hostile file is an Error, never a crash or a large allocation. A file that is
/// verified is copied into memory: overwriting it changes nothing of what was verified.
StoredTensors open_safetensors(const std::filesystem::path& path,
                               Checksum checksum = Checksum::kVerify);

}  // namespace nmt
