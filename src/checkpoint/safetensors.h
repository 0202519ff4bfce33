#pragma once

#include <torch/types.h>

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "checkpoint/stored_tensors.h"

namespace nmt {

struct NamedTensor {
  std::string name;
  torch::Tensor tensor;  // on the CPU
};

/// Tensors and text, as a safetensors file holds them (docs/model-format.md):
///
///   uint64 little-endian: bytes of the header
///   header: JSON {"NAME": {"dtype": "F32", "shape": […], "data_offsets": [begin, end]}, …,
///                 "__metadata__": {"KEY": "TEXT", …}}
///   data: the tensors one after the other, row-major
struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::vector<NamedTensor> tensors;

  /// The tensor of that name, or nullptr.
  const torch::Tensor* find(const std::string& name) const;

  /// Throws Error for an unknown name.
  const torch::Tensor& at(const std::string& name) const;

  std::string path;  // for messages; set by read_safetensors
};

/// Writes the file atomically; `check` as in write_file_atomically(). Adds `format`,
/// `format_version` and `sha256` to the metadata. Throws Error.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file,
                       const std::function<void(const std::filesystem::path&)>& check = {});

/// Writes the same bytes to a stream. Throws Error for names and metadata that a file cannot hold.
void write_safetensors(std::ostream& stream, const TensorFile& file);

/// Maps the file; the tensors share the mapping and may be modified without changing the file. A
/// damaged or hostile file is an Error, never a crash or a large allocation; the checksum is
/// verified if there is one.
TensorFile read_safetensors(const std::filesystem::path& path);

/// The LibTorch dtype of "F32" and so on. Throws Error for an unknown name.
at::ScalarType scalar_type(const std::string& dtype);

/// Reads and checks only the header.
SafetensorsHeader read_safetensors_header(const std::filesystem::path& path);

}  // namespace nmt
