#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace nmt {

/// Where results go as they come: standard output, or a file that gets its name when it is whole.
class OutputFile {
 public:
  /// Empty or "-" is standard output. Throws Error when the file cannot be made.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes and flushes. Throws Error when that fails.
  void write(const std::string& text);

  /// Gives the file its name. Without this, what was written stays as NAME.partial.
  void finish();

 private:
  std::filesystem::path path_;
  std::filesystem::path partial_;
  std::ofstream file_;
};

}  // namespace nmt
