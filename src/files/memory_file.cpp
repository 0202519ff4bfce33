#include "files/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "errors/error.h"

namespace nmt {

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

MemoryFile::MemoryFile(const std::string& label, std::string_view bytes)
    : descriptor_(::memfd_create(label.c_str(), MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw Error(std::string("memfd_create: ") + std::strerror(errno));
  if (write_all(descriptor_, bytes)) return;
  const std::string reason = path() + ": " + std::strerror(errno);
  ::close(descriptor_);
  throw Error(reason);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

}  // namespace nmt
