#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

struct zip;
struct zip_source;

namespace nmt {

constexpr size_t kMaxUnpacked = size_t{256} << 20;  // bytes

/// A ZIP archive in memory, whose entries can be read and replaced. The others keep their bytes,
/// order and compression.
class ZipArchive {
 public:
  /// Throws MarkupError when the bytes are no archive.
  explicit ZipArchive(const std::string& bytes);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  std::vector<std::string> names() const;

  /// The entry's content. Throws MarkupError when it is damaged, encrypted or larger.
  std::string read(const std::string& name, size_t max_bytes = kMaxUnpacked) const;

  /// Replaces the entry when the archive is written.
  void replace(const std::string& name, const std::string& content);

  /// The archive with its replacements; it cannot be used after this. Throws MarkupError.
  std::string write();

 private:
  [[noreturn]] void fail(const std::string& name) const;

  zip_source* source_ = nullptr;
  zip* archive_ = nullptr;
};

}  // namespace nmt
