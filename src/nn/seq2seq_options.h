#pragma once

#include <cstdint>

#include "config/settings.h"

namespace nmt {

/// All that a network is built from. Separate from the network (nn/seq2seq.h): model files are
/// read, and the fused engine translates, without LibTorch.
struct Seq2SeqOptions : ModelConfig {
  int64_t source_vocabulary_size = 0;
  int64_t target_vocabulary_size = 0;
};

}  // namespace nmt
