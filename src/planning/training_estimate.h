#pragma once

#include <string>

#include "config/settings.h"
#include "nn/seq2seq_options.h"

namespace nmt {

struct TrainingWork {
  double source_tokens = 0;
  double target_tokens = 0;
  int threads = 1;
  bool fused = true;    // the fused engine computes it
  TrainConfig train{};  // its precision and objective
};

/// Measures the multiply-adds per second of one thread in matrix products of a size typical of
/// training. Takes a tenth of a second.
double measure_products_per_second();

/// Estimates the seconds of one epoch, within a factor of about two, from the multiply-adds of its
/// training steps and the speed of one thread.
double estimate_epoch(const Seq2SeqOptions& options, const TrainingWork& work,
                      double products_per_second);

/// "6.7 s", "56 s", "8 min" or "4.7 h".
std::string duration_text(double seconds);

/// Tokens of one batch; for the plain engine including padding, which it computes too.
struct BatchTokens {
  double source = 0;
  double target = 0;
};

/// Estimated peak memory of training on a CPU, in bytes; errs on the high side. Does not hold for
/// the objectives minimum_risk and dual.
double training_memory(const Seq2SeqOptions& options, const TrainConfig& train, bool fused,
                       const BatchTokens& batch);

}  // namespace nmt
