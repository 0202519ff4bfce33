#pragma once

#include "text/sentencepiece_bridge.h"

namespace nmt {

/// SentencePiece, loaded once a process in a linker namespace of its own. The bridge library is
/// carried inside this one, so that a program needs no file beside it. Throws Error when the system
/// cannot load it.
const NmtSentencePiece& sentencepiece();

}  // namespace nmt
