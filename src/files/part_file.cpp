#include "files/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "errors/error.h"

namespace nmt {

PartFile::PartFile(const std::filesystem::path& path)
    : path_(path), part_(path.string() + ".part") {
  if (std::filesystem::is_directory(path)) {
    throw Error(path.string() + ": cannot be written: it is a folder");
  }
  // Not through a link: the part is going to be cut and renamed.
  descriptor_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_APPEND, 0666);
  if (descriptor_ < 0) fail("cannot be written");
  const bool taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat status {};
  const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (regular && !taken) {
    size_ = status.st_size;
    return;
  }
  ::close(descriptor_);
  throw Error(part_.string() + (taken ? ": another nmt is writing it" : ": is no file"));
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
  if (::ftruncate(descriptor_, bytes) != 0) fail("cannot be cut");
  size_ = bytes;
}

void PartFile::save(bool to_disk) {
  for (size_t written = 0; written < waiting_.size();) {
    const ssize_t bytes =
        ::write(descriptor_, waiting_.data() + written, waiting_.size() - written);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) fail("writing failed");
    written += static_cast<size_t>(bytes);
    size_ += bytes;
  }
  waiting_.clear();
  if (to_disk && ::fsync(descriptor_) != 0) fail("writing failed");
}

void PartFile::finish() {
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 || ::rename(part_.c_str(), path_.c_str()) != 0) fail("cannot be written");
}

}  // namespace nmt
