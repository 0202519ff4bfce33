#pragma once

#include <filesystem>

namespace nmt {

/// An exclusive lock on a folder, released by the destructor or when the program ends in any way.
class FolderLock {
 public:
  /// Throws Error if another program has the lock. On file systems without locks it always
  /// succeeds.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace nmt
