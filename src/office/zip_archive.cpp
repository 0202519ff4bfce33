#include "office/zip_archive.h"

#include <zip.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "markup/segment.h"

namespace nmt {
namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw MarkupError("ZIP archive: " + problem);
}

/// A copy of the bytes for libzip, which frees it, even when told not to, if it writes an archive
/// that begins with unchanged entries. Null for no bytes, which it would not free.
char* malloced(const std::string& bytes) {
  if (bytes.empty()) return nullptr;
  auto* copy = static_cast<char*>(std::malloc(bytes.size()));
  if (copy == nullptr) throw std::bad_alloc();
  bytes.copy(copy, bytes.size());
  return copy;
}

/// Whether the entries together have more bytes than their archive of this size, as only
/// overlapping ones do: its copy would become much larger.
bool exceeds(zip_t* archive, size_t size) {
  zip_stat_t stat;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
    if (zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &stat) != 0) continue;
    if (stat.comp_size > size) return true;
    size -= stat.comp_size;
  }
  return false;
}

struct CloseEntry {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

}  // namespace

ZipArchive::ZipArchive(const std::string& bytes) {
  zip_error_t error;
  zip_error_init(&error);
  source_ = zip_source_buffer_create(malloced(bytes), bytes.size(), 1, &error);
  if (source_ != nullptr) archive_ = zip_open_from_source(source_, ZIP_CHECKCONS, &error);
  const std::string problem = archive_ == nullptr ? zip_error_strerror(&error) : "";
  zip_error_fini(&error);
  if (archive_ == nullptr) {
    if (source_ != nullptr) zip_source_free(source_);
    refuse(problem);
  }
  if (exceeds(archive_, bytes.size())) {
    zip_discard(archive_);  // with the source
    refuse("its entries overlap; save the document again");
  }
  zip_source_keep(source_);  // read again after the archive is closed
}

ZipArchive::~ZipArchive() {
  if (archive_ != nullptr) zip_discard(archive_);
  zip_source_free(source_);
}

void ZipArchive::fail(const std::string& name) const {
  refuse(name + ": " + zip_error_strerror(zip_get_error(archive_)));
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> names;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive_, 0); ++i) {
    const char* name = zip_get_name(archive_, static_cast<zip_uint64_t>(i), 0);
    if (name == nullptr) fail("an entry");
    names.emplace_back(name);
  }
  return names;
}

std::string ZipArchive::read(const std::string& name, size_t max_bytes) const {
  zip_stat_t stat;
  if (zip_stat(archive_, name.c_str(), 0, &stat) != 0) fail(name);
  if (stat.size > max_bytes) {
    refuse(name + ": unpacked larger than " + std::to_string(max_bytes) + " bytes");
  }
  const std::unique_ptr<zip_file_t, CloseEntry> file(zip_fopen(archive_, name.c_str(), 0));
  if (file == nullptr) fail(name);
  std::string content(stat.size, '\0');
  const auto read = zip_fread(file.get(), content.data(), content.size());
  // libzip verifies the checksum when a read reaches the end.
  char beyond = 0;
  if (read != static_cast<zip_int64_t>(content.size()) || zip_fread(file.get(), &beyond, 1) != 0) {
    refuse(name + ": damaged");
  }
  return content;
}

void ZipArchive::replace(const std::string& name, const std::string& content) {
  const auto index = zip_name_locate(archive_, name.c_str(), 0);
  if (index < 0) fail(name);
  auto* source = zip_source_buffer(archive_, malloced(content), content.size(), 1);
  if (source == nullptr) fail(name);
  if (zip_file_replace(archive_, static_cast<zip_uint64_t>(index), source, 0) == 0) return;
  zip_source_free(source);
  fail(name);
}

std::string ZipArchive::write() {
  if (zip_close(archive_) != 0) fail("writing");
  archive_ = nullptr;
  zip_stat_t stat;
  std::string bytes;
  if (zip_source_stat(source_, &stat) == 0 && zip_source_open(source_) == 0) {
    bytes.resize(stat.size);
    const auto read = zip_source_read(source_, bytes.data(), bytes.size());
    zip_source_close(source_);
    if (read == static_cast<zip_int64_t>(bytes.size())) return bytes;
  }
  refuse(std::string("writing: ") + zip_error_strerror(zip_source_error(source_)));
}

}  // namespace nmt
