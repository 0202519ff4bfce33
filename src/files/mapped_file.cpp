#include "files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "errors/error.h"

namespace nmt {

namespace {

/// Whether that many bytes could be read.
bool reads(int descriptor, void* to, size_t size) {
  for (size_t got = 0; got < size;) {
    const ssize_t bytes = ::read(descriptor, static_cast<char*>(to) + got, size - got);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return false;
    got += static_cast<size_t>(bytes);
  }
  return true;
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path, Access access) {
  // O_NONBLOCK: a named pipe is refused below, not waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) throw Error(path.string() + ": cannot be read: " + std::strerror(errno));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw Error(path.string() + ": is not a file that can be mapped into memory");
  }
  size_ = static_cast<size_t>(status.st_size);
  // A writable mapping counts towards the system's limit of committed memory.
  const int protection = access == Access::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
  const bool copies = access == Access::kCopy;
  void* mapped =
      size_ == 0 ? nullptr
                 : ::mmap(nullptr, size_, protection, MAP_PRIVATE | (copies ? MAP_ANONYMOUS : 0),
                          copies ? -1 : descriptor, 0);
  // Faults of small pages would take longer than the copying.
  if (copies && mapped != MAP_FAILED) ::madvise(mapped, size_, MADV_HUGEPAGE);
  const bool is_whole = mapped != MAP_FAILED && (!copies || reads(descriptor, mapped, size_));
  ::close(descriptor);
  if (mapped == MAP_FAILED) throw Error(path.string() + ": cannot be mapped into memory");
  data_ = static_cast<char*>(mapped);
  if (is_whole) return;
  ::munmap(data_, size_);
  throw Error(path.string() + ": reading failed");
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace nmt
