#pragma once

#include <filesystem>
#include <string>

namespace nmt {

/// A new folder of a random name, which nobody can foresee; removed with this object.
class ScratchFolder {
 public:
  /// Among the temporary files. Throws Error when it cannot be created.
  ScratchFolder();
  /// Next to `place`, so that what is in it can be renamed to that.
  explicit ScratchFolder(const std::filesystem::path& place);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(const std::filesystem::path& prefix, const std::string& advice);

  std::filesystem::path path_;
};

}  // namespace nmt
