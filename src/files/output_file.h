#pragma once

#include <filesystem>
#include <string>

#include "errors/error.h"

struct gzFile_s;

namespace nmt {

/// The reader of standard output, such as `head`, has exited. `main` exits silently with the code
/// of a program killed by SIGPIPE; unlike the signal, the exception lets destructors clean up
/// files.
class ReaderLeft : public Error {
 public:
  using Error::Error;
};

/// Whether the path is standard output: "-", /dev/stdout, or the file that it is connected to.
bool is_standard_output(const std::filesystem::path& path);

/// Throws ReaderLeft if standard output is a pipe without a reader, else Error with the problem.
[[noreturn]] void fail_standard_output(const std::string& problem);

/// Writes results to standard output, or to a temporary file that is locked, and renamed when
/// complete. A device or pipe is written to, not replaced; for a symbolic link, the file that it
/// points to is replaced. A name ending in .gz selects gzip compression.
class OutputFile {
 public:
  /// Empty, "-" or /dev/stdout is standard output. Throws Error when the file cannot be created.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes and, unless it compresses, flushes. Throws Error when that fails.
  void write(const std::string& text);

  /// Removes the incomplete file, for a program that ends without destructors; from any thread.
  void discard() const;

  /// Renames the complete file and logs its name. Without this call, it is removed.
  void finish();

 private:
  [[noreturn]] void fail(const char* problem) const;

  std::filesystem::path path_;
  std::filesystem::path target_;    // the file that path_ leads to; empty: written in place
  std::filesystem::path partial_;   // temporary name of target_; empty: written in place
  int descriptor_ = -1;             // locked, if partial_ is
  gzFile_s* compressed_ = nullptr;  // writes through a copy of descriptor_
  bool finished_ = false;
};

}  // namespace nmt
