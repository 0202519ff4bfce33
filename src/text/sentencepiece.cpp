#include "text/sentencepiece.h"

#include <dlfcn.h>
#include <unistd.h>

#include "errors/error.h"

namespace nmt {
namespace {

// RTLD_DEEPBIND makes SentencePiece find Protobuf in its own libraries before LibTorch's.
//
// dlmopen into the base namespace equals dlopen, except that the sanitizers do not reject it. They
// reject RTLD_DEEPBIND because a library would then find the C library's malloc before theirs; this
// library is linked with their runtime, so it finds theirs first.
void* load_library() {
  void* library =
      ::dlmopen(LM_ID_BASE, NMT_SENTENCEPIECE_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) {
    const std::string reason = ::dlerror();
    const bool origin_known = ::access("/proc/self/exe", F_OK) == 0;  // $ORIGIN of the RUNPATH
    throw Error("SentencePiece: cannot be loaded: " + reason +
                (origin_known ? "; reinstall nmt and libsentencepiece" : "; mount /proc"));
  }
  return library;
}

const SentencePiece* load() {
  using Entry = decltype(&nmt_sentencepiece);
  const auto entry = reinterpret_cast<Entry>(::dlsym(load_library(), "nmt_sentencepiece"));
  if (entry == nullptr) {
    throw Error(NMT_SENTENCEPIECE_LIBRARY ": another version; reinstall nmt");
  }
  return entry();
}

}  // namespace

// Never unloaded: other threads may still be inside when the process ends.
const SentencePiece& sentencepiece() {
  static const SentencePiece* const library = load();
  return *library;
}

}  // namespace nmt
