#include "text/bridge_loader.h"

#include <dlfcn.h>

#include "errors/error.h"
#include "files/embedded_library.h"

NMT_EMBED_LIBRARY(nmt_sentencepiece_bridge, NMT_BRIDGE_FILE);

namespace nmt {
namespace {

void* load_library() try {
  return load_embedded_library(nmt_sentencepiece_bridge(), [](const char* path) {
    return ::dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL);
  });
} catch (const Error& error) {
  throw Error(std::string("SentencePiece cannot be loaded: ") + error.what() +
              " Is libsentencepiece installed?");
}

const NmtSentencePiece* load_bridge() {
  using Entry = const NmtSentencePiece* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(load_library(), "nmt_sentencepiece"));
  if (entry == nullptr) throw Error("SentencePiece cannot be loaded: the bridge has no entry");
  return entry();
}

}  // namespace

const NmtSentencePiece& sentencepiece() {
  static const NmtSentencePiece* const interface = load_bridge();
  return *interface;
}

}  // namespace nmt
