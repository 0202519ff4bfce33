#pragma once

#include <cstdint>
#include <string>

#include "nn/seq2seq_options.h"

namespace nmt {

/// The estimated cost of one epoch of training on this machine, within a factor of about two.
struct TrainingEstimate {
  int64_t parameters = 0;   // tied ones once
  std::string engine = "";  // fused or plain
  double products = 0.0;    // multiply-adds in the matrix products of an epoch
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

/// Counts the multiply-adds of a training step and briefly measures this machine's speed at them.
TrainingEstimate estimate_training(const Seq2SeqOptions& options, const TrainingWork& work);

}  // namespace nmt
