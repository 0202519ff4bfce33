#include "files/embedded_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "errors/error.h"
#include "files/memory_file.h"

namespace nmt {
namespace {

struct Loaded {
  void* library = nullptr;
  std::string reason;  // why there is none
};

Loaded load_copy(const std::string& path, const OpenLibrary& open) {
  void* library = open(path.c_str());
  if (library != nullptr) return {library, ""};
  const char* reason = ::dlerror();
  return {nullptr, reason != nullptr ? reason : path + ": cannot be loaded"};
}

// The kernel has to let a file in memory be executed.
Loaded load_from_memory(const EmbeddedLibrary& library, const OpenLibrary& open) try {
  const MemoryFile file(std::string(library.name), library.bytes);
  return load_copy(file.path(), open);
} catch (const Error& error) {
  return {nullptr, error.what()};
}

// The file is gone again once it is open.
Loaded load_from_temporary_file(const EmbeddedLibrary& library, const OpenLibrary& open) {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/nmt-XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) return {nullptr, path + ": " + std::strerror(errno)};
  Loaded loaded = write_all(descriptor, library.bytes)
                      ? load_copy(path, open)
                      : Loaded{nullptr, path + ": " + std::strerror(errno)};
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
