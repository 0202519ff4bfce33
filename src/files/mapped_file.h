#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace nmt {

/// Maps a whole file into memory. The mapping is private: writes to it do not reach the file.
class MappedFile {
 public:
  /// With kRead, data() must not be written to, and files larger than memory can be mapped on any
  /// system. With kCopy, the file is read; otherwise, overwriting it changes data(), and reading
  /// what was cut off ends the process.
  enum class Access { kRead, kReadAndWrite, kCopy };

  /// Throws Error when the path is no regular file or cannot be read; never waits for a pipe.
  explicit MappedFile(const std::filesystem::path& path, Access access = Access::kReadAndWrite);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  char* data() const { return data_; }
  std::string_view bytes() const { return {data_, size_}; }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace nmt
