#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "export/pickle.h"
#include "files/mapped_file.h"

namespace nmt {

/// A file of torch.save: a zip archive of a pickle and of the numbers of its tensors, all stored
/// without compression (PyTorch 1.6 and later).
class TorchFile {
 public:
  /// Whether the file is a zip archive. Throws Error on a file of an earlier torch.save.
  static bool is_one(const std::filesystem::path& path);

  /// Throws Error on what is no such file; reads no more than the index and the pickle.
  explicit TorchFile(const std::filesystem::path& path);

  const PickleValue& root() const { return pickle_.root(); }

  /// float32, contiguous. Throws Error when the value is no tensor of floating-point numbers, or
  /// its numbers are not in the file.
  torch::Tensor tensor(const PickleValue& value, const std::string& name) const;

 private:
  std::string path_;
  MappedFile file_;
  std::map<std::string, std::string_view> members_;  // without the archive's folder
  Pickle pickle_;
};

}  // namespace nmt
