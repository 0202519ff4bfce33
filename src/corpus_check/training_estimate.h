#pragma once

#include <cstdint>
#include <string>

#include "nn/seq2seq_options.h"

namespace nmt {

/// What one epoch of training would take on this machine, to a factor of two or so.
struct TrainingEstimate {
  int64_t parameters = 0;   // tied ones once
  std::string engine = "";  // fused or plain
  double products = 0.0;    // multiplications of an epoch, in matrix products
  double epoch_seconds = 0.0;
  double memory_bytes = 0.0;
};

struct TrainingWork {
  double source_tokens = 0;
  double target_tokens = 0;
  double batch_tokens = 0;  // of the target side of one batch
  int threads = 1;
  bool fused = true;  // the fused engine computes it
};

/// Counts the products of a training step and measures for a moment how fast this machine makes
/// such.
TrainingEstimate estimate_training(const Seq2SeqOptions& options, const TrainingWork& work);

}  // namespace nmt
