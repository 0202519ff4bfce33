#pragma once

#include "config/settings.h"
#include "nn/seq2seq_options.h"
#include "train/training_run.h"

namespace nmt {

/// Estimated peak memory of training with the run's settings, in bytes per process.
double estimate_memory(const TrainingRun& run);

/// Throws Error if training with a minimal batch is estimated to exceed train.max_memory.
void require_memory_for(const Seq2SeqOptions& model, const TrainConfig& train);

/// If the estimate exceeds train.max_memory, splits the batches into as few parts as needed and
/// multiplies train.gradient_accumulation by their number, so that an update has about as many
/// pairs as before. Logs the change. Throws Error if even one pair per batch does not fit.
void fit_to_memory(TrainingRun& run);

/// For a resumed run: keeps the batch size from fit_to_memory() if `settings` request the original
/// batch size and the same limit. With `automatic_size`, data.batch_size is the saved one already,
/// and it is kept in any case.
void keep_fitted_batches(Settings& settings, const Settings& saved, bool automatic_size);

}  // namespace nmt
