#pragma once

#include <cstdint>
#include <string>

#include "config/settings.h"
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
  bool fused = true;    // the fused engine computes it
  TrainConfig train{};  // precision, objective; for memory: optimizer, moving average
};

/// Multiply-adds a second of one thread of this machine in matrix products of training's shapes,
/// measured in a tenth of a second.
double measure_products_per_second();

/// Counts the multiply-adds of a training step, which a thread computes at that speed.
TrainingEstimate estimate_training(const Seq2SeqOptions& options, const TrainingWork& work,
                                   double products_per_second);

/// Of one batch; with padding in the plain engine, which computes it too.
struct BatchTokens {
  double source = 0;
  double target = 0;
};

/// Peak memory of training on a CPU, bytes. Rather too much than too little; not of the objectives
/// minimum_risk and dual.
double training_memory(const Seq2SeqOptions& options, const TrainConfig& train, bool fused,
                       const BatchTokens& batch);

}  // namespace nmt
