#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "errors/error.h"

struct gzFile_s;

namespace nmt {

/// The reader of standard output, such as `head`, needs no more. `main` exits without a message and
/// with the code of a program that SIGPIPE ended; unlike that signal, it lets files be cleaned up.
class ReaderLeft : public Error {
 public:
  using Error::Error;
};

/// Whether the path is standard output: "-", /dev/stdout, or what that leads to.
bool is_standard_output(const std::filesystem::path& path);

/// Throws ReaderLeft if standard output is a pipe without a reader, else Error with the problem.
[[noreturn]] void fail_standard_output(const std::string& problem);

/// Results are written as they come: to standard output, or to a file that gets its name when it is
/// complete. A device or a pipe is written into, not replaced; a symbolic link stays, and the file
/// that it leads to is replaced. A file whose name ends in .gz is compressed with gzip.
class OutputFile {
 public:
  /// Empty or "-" is standard output. Throws Error when the file cannot be created.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes and, unless it compresses, flushes. Throws Error when that fails.
  void write(const std::string& text);

  /// Gives the file its name and logs it. Without this call, it is removed.
  void finish();

 private:
  [[noreturn]] void fail(const char* problem) const;

  std::filesystem::path path_;
  std::filesystem::path target_;   // what path_ links to; empty where it is written in place
  std::filesystem::path partial_;  // target_ until it is complete; likewise
  std::ofstream file_;
  gzFile_s* compressed_ = nullptr;  // in place of file_
  bool finished_ = false;
};

}  // namespace nmt
