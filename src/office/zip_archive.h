#pragma once

#include <cstddef>
#include <string>
#include <vector>

struct zip;
struct zip_source;

namespace nmt {

constexpr size_t kMaxUnpacked = size_t{256} << 20;  // bytes

/// A ZIP archive in memory, whose entries can be read and replaced. Entries that are not replaced
/// keep their bytes, order and compression.
class ZipArchive {
 public:
  /// Throws MarkupError if the bytes are not an archive, or its entries have more bytes than it.
  explicit ZipArchive(const std::string& bytes);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  std::vector<std::string> names() const;

  /// The entry's content. Throws MarkupError if it is damaged, encrypted or larger than
  /// `max_bytes`.
  std::string read(const std::string& name, size_t max_bytes = kMaxUnpacked) const;

  /// Sets the content that write() gives to the entry.
  void replace(const std::string& name, const std::string& content);

  /// The archive with its replacements. Call last and at most once. Throws MarkupError.
  std::string write();

 private:
  [[noreturn]] void fail(const std::string& name) const;

  zip_source* source_ = nullptr;
  zip* archive_ = nullptr;
};

}  // namespace nmt
