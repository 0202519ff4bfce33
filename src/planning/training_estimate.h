#pragma once

#include <cstdint>
#include <string>

#include "nn/seq2seq_options.h"

namespace nmt {

/// The estimated cost of one epoch of training, within a factor of about two.
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
  bool bfloat16 = false;
};

/// Multiply-adds a second of one thread of this machine in matrix products of training's shapes,
/// measured in a tenth of a second.
double measure_products_per_second();

/// Counts the multiply-adds of a training step, which a thread computes at that speed.
TrainingEstimate estimate_training(const Seq2SeqOptions& options, const TrainingWork& work,
                                   double products_per_second);

/// Peak memory of training, of rows of tokens in one batch.
double training_memory(const Seq2SeqOptions& options, double parameters, double batch_tokens);

}  // namespace nmt
