#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace nmt {

/// Where results go as they come: standard output, or a file that gets its name when it is whole. A
/// device, a pipe or a symbolic link is written into, not replaced.
class OutputFile {
 public:
  /// Empty or "-" is standard output. Throws Error when the file cannot be made.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes and flushes. Throws Error when that fails.
  void write(const std::string& text);

  /// Gives the file its name. Without this, nothing of it stays.
  void finish();

 private:
  std::filesystem::path path_;
  std::filesystem::path partial_;  // empty where path_ is written in place
  std::ofstream file_;
  bool finished_ = false;
};

}  // namespace nmt
