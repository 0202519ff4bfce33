#pragma once

#include <filesystem>

namespace nmt {

/// Keeps other programs that ask for the same lock out of a folder, until it goes or the program
/// ends, however it ends.
class FolderLock {
 public:
  /// Throws Error when another has the lock. A file system that knows no locks grants it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace nmt
