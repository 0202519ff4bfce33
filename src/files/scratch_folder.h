#pragma once

#include <filesystem>

namespace nmt {

/// A new folder of a random name among the temporary files, removed with this object.
class ScratchFolder {
 public:
  /// Throws Error when it cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace nmt
