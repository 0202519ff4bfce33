#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace nmt {

/// A new folder with an unpredictable name; the destructor removes it.
class ScratchFolder {
 public:
  /// In the system's folder for temporary files. Throws Error when it cannot be created.
  ScratchFolder();
  /// Next to `place`, on the same file system, so that its content can be renamed to `place`.
  explicit ScratchFolder(const std::filesystem::path& place);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(const std::filesystem::path& prefix, const std::string& advice);

  std::filesystem::path path_;
};

/// As std::tmpfile(), but in the system's folder for temporary files. Throws Error when it cannot
/// be created.
std::FILE* open_scratch_file();

}  // namespace nmt
