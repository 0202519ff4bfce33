#pragma once

#include <cstdint>
#include <string>

#include "config/settings.h"
#include "nn/seq2seq_options.h"

namespace nmt {

constexpr double kTokensPerWord = 1.4;  // of a vocabulary of the usual size

/// The estimated cost of one epoch of training, within a factor of about two.
struct TrainingEstimate {
  int64_t parameters = 0;   // tied parameters count once
  std::string engine = "";  // fused or plain
  double products = 0.0;    // multiply-adds in the matrix products of an epoch
  double epoch_seconds = 0.0;
  double memory_bytes = 0.0;
};

struct TrainingWork {
  double source_tokens = 0;
  double target_tokens = 0;
  double batch_tokens = 0;  // target tokens in one batch
  int threads = 1;
  bool fused = true;  // the fused engine computes it
  TrainConfig
      train{};  // uses precision and objective; for memory also optimizer and moving average
};

/// Measures the multiply-adds per second of one thread in matrix products of a size typical of
/// training. Takes a tenth of a second.
double measure_products_per_second();

/// Estimates from the multiply-adds of a training step and the speed of one thread.
TrainingEstimate estimate_training(const Seq2SeqOptions& options, const TrainingWork& work,
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
