#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace nmt {

/// A file in the making: NAME.part until it is whole. Unlike an OutputFile's, what it has stays
/// when the program ends before that, and a later one goes on with it.
class PartFile {
 public:
  /// Opens NAME.part, or makes it, and locks it until it is closed. Throws Error when that cannot
  /// be or another program has it.
  explicit PartFile(const std::filesystem::path& path);
  /// Leaves the part, unless it is empty.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& part() const { return part_; }

  /// How many bytes there are, with those that write() holds back.
  int64_t size() const { return size_ + static_cast<int64_t>(waiting_.size()); }

  /// Cuts off what is behind so many bytes, of those that are there.
  void cut(int64_t bytes);

  /// Holds the text back until save().
  void write(const std::string& text) { waiting_ += text; }

  /// Writes what is held back; `to_disk`: and waits until all is on the disk. Throws Error when
  /// that fails.
  void save(bool to_disk);

  /// Gives the file, which is saved, its name.
  void finish();

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  std::filesystem::path part_;
  int descriptor_ = -1;
  int64_t size_ = 0;
  std::string waiting_;
};

}  // namespace nmt
