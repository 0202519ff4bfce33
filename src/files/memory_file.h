#pragma once

#include <string>
#include <string_view>

namespace nmt {

/// Writes all of the bytes; false, with the reason in errno, where that fails.
bool write_all(int descriptor, std::string_view bytes);

/// A file without a name, in memory, for what reads only files. It needs /proc.
class MemoryFile {
 public:
  /// `label` is what the system calls it. Throws Error that says why there is none.
  MemoryFile(const std::string& label, std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// To open it by, as long as this lives.
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace nmt
