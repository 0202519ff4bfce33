#pragma once

#include <torch/types.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "export/torch_archive.h"
#include "files/mapped_file.h"

namespace nmt {

/// A file of torch.save, mapped.
class TorchFile {
 public:
  /// Whether the file begins like one. Throws Error if it cannot be read.
  static bool is_one(const std::filesystem::path& path);

  /// Reads only the index and the pickle. Throws Error if it is not such a file.
  explicit TorchFile(const std::filesystem::path& path);

  const std::string& path() const { return path_; }
  const PickleValue& root() const { return archive_.root(); }

  /// A contiguous float32 tensor. Throws Error, with `key` for the tensor, if the value is not a
  /// tensor of floating-point numbers, or its numbers are not in the file; also if the tensors of
  /// all calls have several times the bytes of the file.
  torch::Tensor tensor(const PickleValue& value, const std::string& key) const;

 private:
  std::string path_;
  MappedFile file_;
  TorchArchive archive_;
  mutable size_t bytes_taken_ = 0;  // by tensor()
};

}  // namespace nmt
