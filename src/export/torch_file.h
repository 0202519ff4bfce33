#pragma once

#include <torch/types.h>

#include <filesystem>
#include <string>

#include "export/torch_archive.h"
#include "files/mapped_file.h"

namespace nmt {

/// A file of torch.save, mapped.
class TorchFile {
 public:
  /// Whether the file begins as one. Throws Error when it cannot be read.
  static bool is_one(const std::filesystem::path& path);

  /// Throws Error on what is no such file; reads no more than the index and the pickle.
  explicit TorchFile(const std::filesystem::path& path);

  const std::string& path() const { return path_; }
  const PickleValue& root() const { return archive_.root(); }

  /// float32, contiguous. Throws Error when the value is no tensor of floating-point numbers, or
  /// its numbers are not in the file. `key` names it in messages.
  torch::Tensor tensor(const PickleValue& value, const std::string& key) const;

 private:
  std::string path_;
  MappedFile file_;
  TorchArchive archive_;
};

}  // namespace nmt
