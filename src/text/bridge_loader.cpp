#include "text/bridge_loader.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

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
extern const char nmt_bridge_begin[] __attribute__((visibility("hidden")));
extern const char nmt_bridge_end[] __attribute__((visibility("hidden")));
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

void* open_library(const std::string& path) {
  return ::dlmopen(LM_ID_NEWLM, path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// By way of memory; needs /proc.
void* open_from_memory() {
  const int descriptor = ::memfd_create("nmt-sentencepiece", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  void* library =
      write_all(descriptor) ? open_library("/proc/self/fd/" + std::to_string(descriptor)) : nullptr;
  ::close(descriptor);
  return library;
}

// By way of a file that is gone again once it is open.
void* open_from_file() {
  std::string path = "/tmp/nmt-sentencepiece-XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) return nullptr;
  void* library = write_all(descriptor) ? open_library(path) : nullptr;
  ::close(descriptor);
  ::unlink(path.c_str());
  return library;
}

const NmtSentencePiece* load_bridge() {
  void* library = open_from_memory();
  if (library == nullptr) library = open_from_file();
  if (library == nullptr) {
    const char* reason = ::dlerror();
    throw Error(std::string("SentencePiece cannot be loaded: ") +
                (reason != nullptr ? reason : "no memory file and no file in /tmp can be made") +
                " (is libsentencepiece installed?)");
  }
  using Entry = const NmtSentencePiece* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, "nmt_sentencepiece"));
  if (entry == nullptr) throw Error("SentencePiece cannot be loaded: the bridge has no entry");
  return entry();
}

}  // namespace

const NmtSentencePiece& sentencepiece() {
  static const NmtSentencePiece* const interface = load_bridge();
  return *interface;
}

}  // namespace nmt
