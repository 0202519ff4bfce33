#pragma once

#include <torch/types.h>

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

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

  /// Throws Error when there is no such tensor.
  const torch::Tensor& at(const std::string& name) const;

  std::string path;  // for messages; set by read_safetensors
};

/// What the header says of one tensor.
struct TensorEntry {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  uint64_t begin = 0;  // in the data section, bytes
  uint64_t end = 0;
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorEntry> tensors;  // in the order of their data
  uint64_t data_begin = 0;           // in the file, bytes
};

/// Writes the file atomically, a SHA-256 of the data among its metadata. Throws Error.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

/// The same bytes to a stream. Throws Error on names and metadata that a file cannot hold.
void write_safetensors(std::ostream& stream, const TensorFile& file);

/// Maps the file; the tensors share the mapping and may be written to without touching the file.
/// A damaged or hostile file is an Error, never a crash or a large allocation; the checksum is
/// verified where there is one.
TensorFile read_safetensors(const std::filesystem::path& path);

/// The header alone, checked.
SafetensorsHeader read_safetensors_header(const std::filesystem::path& path);

}  // namespace nmt
