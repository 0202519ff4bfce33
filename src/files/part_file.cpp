#include "files/part_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"

namespace nmt {

PartFile::PartFile(const std::filesystem::path& path)
    : path_(path), part_(path.string() + ".part") {
  require_no_folder(path);
  descriptor_ = open_unfinished(part_, path);
  size_ = ::lseek(descriptor_, 0, SEEK_END);
}

PartFile::~PartFile() {
  if (descriptor_ < 0) return;
  if (size_ == 0) ::unlink(part_.c_str());
  ::close(descriptor_);
}

void PartFile::fail(const std::string& what) const {
  throw Error(path_.string() + ": " + what + ": " + std::strerror(errno));
}

void PartFile::cut(int64_t bytes) {
  if (::ftruncate(descriptor_, bytes) != 0) fail("cannot be truncated");
  size_ = bytes;
}

void PartFile::read(int64_t bytes) {
  std::string piece(1 << 16, '\0');
  for (int64_t at = 0; at < bytes;) {
    const auto size = std::min(static_cast<int64_t>(piece.size()), bytes - at);
    const ssize_t got = ::pread(descriptor_, piece.data(), static_cast<size_t>(size), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("reading failed");
    content_.add(std::string_view(piece).substr(0, static_cast<size_t>(got)));
    at += got;
  }
}

void PartFile::save(bool to_disk) {
  const bool written = write_all(descriptor_, waiting_);
  size_ = ::lseek(descriptor_, 0, SEEK_END);  // some of it also if writing failed
  if (!written) fail("writing failed");
  waiting_.clear();
  if (to_disk && ::fsync(descriptor_) != 0) fail("writing failed");
}

void PartFile::finish() {
  if (flush_writes(descriptor_) != 0 || ::rename(part_.c_str(), path_.c_str()) != 0) {
    fail("cannot be written");
  }
  ::close(std::exchange(descriptor_, -1));  // unlocks it
  log_info("wrote {}", path_.string());
}

}  // namespace nmt
