#include "text/sentencepiece.h"

#include <dlfcn.h>

#include "errors/error.h"

namespace nmt {
namespace {

// RTLD_DEEPBIND: SentencePiece looks for Protobuf in its own libraries before LibTorch's.
//
// dlmopen into this very namespace is dlopen, except that the sanitizers do not refuse it. They
// refuse RTLD_DEEPBIND because a library would then find the C library's malloc before theirs; ours
// is linked with their runtime, which it therefore finds first.
void* load_library() {
  void* library =
      ::dlmopen(LM_ID_BASE, NMT_SENTENCEPIECE_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) {
    throw Error(std::string("SentencePiece: cannot be loaded: ") + ::dlerror() +
                "; install nmt again, and libsentencepiece");
  }
  return library;
}

const SentencePiece* load() {
  using Entry = decltype(&nmt_sentencepiece);
  const auto entry = reinterpret_cast<Entry>(::dlsym(load_library(), "nmt_sentencepiece"));
  if (entry == nullptr) {
    throw Error(NMT_SENTENCEPIECE_LIBRARY ": is of another version; install nmt again");
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
