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

bool reads(int descriptor, char* to, size_t size) {
  for (size_t got = 0; got < size;) {
    const ssize_t bytes = ::read(descriptor, to + got, size - got);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return false;
    got += static_cast<size_t>(bytes);
  }
  return true;
}

/// The file's bytes in memory of its own; MAP_FAILED if they cannot be had.
void* copy_of(int descriptor, size_t size) {
  constexpr int kProtection = PROT_READ | PROT_WRITE;
  void* copy = ::mmap(nullptr, size, kProtection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return copy;
  ::madvise(copy, size, MADV_HUGEPAGE);  // faults of small pages take longer than the copying
  if (reads(descriptor, static_cast<char*>(copy), size)) return copy;
  ::munmap(copy, size);
  return MAP_FAILED;
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
  void* mapped = nullptr;
  if (size_ > 0) {
    mapped = access == Access::kCopy
                 ? copy_of(descriptor, size_)
                 : ::mmap(nullptr, size_, protection, MAP_PRIVATE, descriptor, 0);
  }
  ::close(descriptor);
  if (mapped == MAP_FAILED) throw Error(path.string() + ": cannot be mapped into memory");
  data_ = static_cast<char*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace nmt
