#pragma once

#include <cstddef>
#include <string>

#include "text/sentencepiece_bridge.h"

namespace nmt {

/// SentencePiece, loaded once a process in a linker namespace of its own. The bridge library is
/// carried inside this one, so that a program needs no file beside it. Throws Error when the system
/// cannot load it.
const NmtSentencePiece& sentencepiece();

/// What the bridge calls with its bytes: `text` is a std::string, which they are put after.
inline void append_text(void* text, const char* data, size_t size) {
  static_cast<std::string*>(text)->append(data, size);
}

}  // namespace nmt
