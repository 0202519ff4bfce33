#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "files/sha256.h"

namespace nmt {

/// A file named NAME.part until it is complete. Unlike that of an OutputFile, its content survives
/// the end of the program, so that a later run can resume.
class PartFile {
 public:
  /// Opens or creates NAME.part and locks it until it is closed. Throws Error when that fails or
  /// another program has locked it.
  explicit PartFile(const std::filesystem::path& path);
  /// Keeps NAME.part, unless it is empty.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& part() const { return part_; }

  /// The number of bytes, including those that write() buffers.
  int64_t size() const { return size_ + static_cast<int64_t>(waiting_.size()); }

  /// Truncates the file to `bytes`.
  void cut(int64_t bytes);

  /// Reads the first `bytes` into hash(). Call before write().
  void read(int64_t bytes);

  /// The hash of what read() and write() took.
  std::string hash() const { return content_.hexadecimal(); }

  /// Buffers the text until save().
  void write(const std::string& text) {
    waiting_ += text;
    content_.add(text);
  }

  /// Writes what is buffered; with `to_disk`, syncs it too. Throws Error when that fails.
  void save(bool to_disk);

  /// Renames the saved file to its final name and logs it.
  void finish();

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  std::filesystem::path part_;
  int descriptor_ = -1;
  int64_t size_ = 0;
  std::string waiting_;
  Sha256 content_;
};

}  // namespace nmt
