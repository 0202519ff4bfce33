#pragma once

#include <cstdint>

#include "config/settings.h"

namespace nmt {

/// Everything that defines a network. Not in nn/seq2seq.h because reading model files and the fused
/// engine must not depend on LibTorch.
struct Seq2SeqOptions : ModelConfig {
  int64_t source_vocabulary_size = 0;
  int64_t target_vocabulary_size = 0;
};

}  // namespace nmt
