#include "text/bridge_loader.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "support/error.h"

// The bytes of the bridge library, put here by the assembler (NMT_BRIDGE_FILE comes from CMake).
asm(".section .rodata\n"
    ".balign 16\n"
    ".global nmt_bridge_begin\n.hidden nmt_bridge_begin\n"
    "nmt_bridge_begin:\n"
    ".incbin \"" NMT_BRIDGE_FILE
    "\"\n"
    ".global nmt_bridge_end\n.hidden nmt_bridge_end\n"
    "nmt_bridge_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): the assembler's symbols, not constants
extern const char nmt_bridge_begin[] __attribute__((visibility("hidden")));
extern const char nmt_bridge_end[] __attribute__((visibility("hidden")));
// NOLINTEND(readability-identifier-naming)
}

namespace nmt {
namespace {

bool write_all(int descriptor) {
  const char* at = nmt_bridge_begin;
  while (at < nmt_bridge_end) {
    const auto written = ::write(descriptor, at, static_cast<size_t>(nmt_bridge_end - at));
    if (written <= 0) return false;
    at += written;
  }
  return true;
}

struct Loaded {
  void* library = nullptr;
  std::string reason;  // why there is none
};

Loaded load_copy(int descriptor, const std::string& path) {
  if (!write_all(descriptor)) return {nullptr, path + ": " + std::strerror(errno)};
  void* library = ::dlmopen(LM_ID_NEWLM, path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return {library, ""};
  const char* reason = ::dlerror();
  return {nullptr, reason != nullptr ? reason : path + ": cannot be loaded"};
}

// Needs /proc, and a kernel that lets a file in memory be executed.
Loaded load_from_memory() {
  const int descriptor = ::memfd_create("nmt-sentencepiece", MFD_CLOEXEC);
  if (descriptor < 0) return {nullptr, std::string("memfd_create: ") + std::strerror(errno)};
  Loaded loaded = load_copy(descriptor, "/proc/self/fd/" + std::to_string(descriptor));
  ::close(descriptor);
  return loaded;
}

// The file is gone again once it is open.
Loaded load_from_temporary_file() {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/nmt-XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) return {nullptr, path + ": " + std::strerror(errno)};
  Loaded loaded = load_copy(descriptor, path);
  ::unlink(path.c_str());
  ::close(descriptor);
  return loaded;
}

const NmtSentencePiece* load_bridge() {
  Loaded loaded = load_from_memory();
  if (loaded.library == nullptr) {
    const std::string first_reason = std::move(loaded.reason);
    loaded = load_from_temporary_file();
    if (loaded.library == nullptr) {
      throw Error("SentencePiece cannot be loaded: " + first_reason + "; " + loaded.reason +
                  "; is libsentencepiece installed, and does TMPDIR name a folder that may hold " +
                  "programs?");
    }
  }
  using Entry = const NmtSentencePiece* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(loaded.library, "nmt_sentencepiece"));
  if (entry == nullptr) throw Error("SentencePiece cannot be loaded: the bridge has no entry");
  return entry();
}

}  // namespace

const NmtSentencePiece& sentencepiece() {
  // Never unloaded: other threads may still be inside when the process ends.
  static const NmtSentencePiece* const interface = load_bridge();
  return *interface;
}

}  // namespace nmt
