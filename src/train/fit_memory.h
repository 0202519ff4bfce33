#pragma once

#include "config/settings.h"
#include "nn/seq2seq_options.h"
#include "train/training_run.h"

namespace nmt {

/// Peak memory that training with the run's settings is estimated to take, bytes, in each process.
double estimate_memory(const TrainingRun& run);

/// Throws Error where the model alone is estimated to take more than train.max_memory.
void require_memory_for(const Seq2SeqOptions& model, const TrainConfig& train);

/// Where the estimate exceeds train.max_memory, cuts the batches of the run's settings into as few
/// parts as fit and multiplies train.gradient_accumulation by their number, so that an update has
/// about as many pairs as before. Logs what it changed. Throws Error where nothing fits.
void fit_to_memory(TrainingRun& run);

/// A run that is resumed keeps the batches that fit_to_memory() gave it, if `settings` ask for what
/// these were cut from. With `automatic_size`, data.batch_size is the saved one already.
void keep_fitted_batches(Settings& settings, const Settings& saved, bool automatic_size);

}  // namespace nmt
