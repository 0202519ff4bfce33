#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "checkpoint/safetensors_header.h"
#include "files/mapped_file.h"

namespace nmt {

/// A safetensors file (docs/model-format.md) that is mapped, parsed and verified: its tensors are
/// where they lie in it. Knows no LibTorch.
struct StoredTensors {
  std::string path;  // for messages
  std::shared_ptr<MappedFile> file;
  SafetensorsHeader header;

  /// Throws Error for an unknown name.
  const TensorEntry& at(const std::string& name) const;

  /// The bytes of one of its tensors, row-major; aligned to nothing.
  std::string_view bytes(const TensorEntry& entry) const;
};

/// Whether a file's checksum is verified, where it has one: that reads all of the file.
enum class Checksum { kVerify, kSkip };

/// A damaged or hostile file is an Error, never a crash or a large allocation.
StoredTensors map_safetensors(const std::filesystem::path& path,
                              Checksum checksum = Checksum::kVerify);

}  // namespace nmt
