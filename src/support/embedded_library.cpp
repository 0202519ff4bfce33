#include "support/embedded_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "support/error.h"

namespace nmt {
namespace {

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

struct Loaded {
  void* library = nullptr;
  std::string reason;  // why there is none
};

Loaded load_copy(std::string_view bytes, int descriptor, const std::string& path,
                 const OpenLibrary& open) {
  if (!write_all(descriptor, bytes)) return {nullptr, path + ": " + std::strerror(errno)};
  void* library = open(path.c_str());
  if (library != nullptr) return {library, ""};
  const char* reason = ::dlerror();
  return {nullptr, reason != nullptr ? reason : path + ": cannot be loaded"};
}

// Needs /proc, and a kernel that lets a file in memory be executed.
Loaded load_from_memory(const EmbeddedLibrary& library, const OpenLibrary& open) {
  const int descriptor = ::memfd_create(std::string(library.name).c_str(), MFD_CLOEXEC);
  if (descriptor < 0) return {nullptr, std::string("memfd_create: ") + std::strerror(errno)};
  const auto path = "/proc/self/fd/" + std::to_string(descriptor);
  Loaded loaded = load_copy(library.bytes, descriptor, path, open);
  ::close(descriptor);
  return loaded;
}

// The file is gone again once it is open.
Loaded load_from_temporary_file(const EmbeddedLibrary& library, const OpenLibrary& open) {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/nmt-XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) return {nullptr, path + ": " + std::strerror(errno)};
  Loaded loaded = load_copy(library.bytes, descriptor, path, open);
  ::unlink(path.c_str());
  ::close(descriptor);
  return loaded;
}

}  // namespace

void* load_embedded_library(const EmbeddedLibrary& library, const OpenLibrary& open) {
  const Loaded first = load_from_memory(library, open);
  if (first.library != nullptr) return first.library;
  const Loaded second = load_from_temporary_file(library, open);
  if (second.library != nullptr) return second.library;
  throw Error(first.reason + "; " + second.reason +
              "; does TMPDIR name a folder that may hold programs?");
}

}  // namespace nmt
