#pragma once

#include <filesystem>

namespace nmt {

/// An exclusive lock on a folder, released with this object or when the program ends, however it
/// ends.
class FolderLock {
 public:
  /// Throws Error when another program has the lock. File systems without locks grant it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace nmt
