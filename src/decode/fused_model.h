#pragma once

#include <memory>
#include <string>

#include "checkpoint/stored_weights.h"
#include "config/settings.h"
#include "fused/inference_model.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// Why the fused paths do not compute this model, for a message; empty where they do.
std::string why_not_fused(const Seq2SeqOptions& options);

/// The same of a training; `on_cpu`: its device is the CPU.
std::string why_not_fused_training(const Seq2SeqOptions& options, const TrainConfig& config,
                                   bool on_cpu);

/// The shape of a model as the fused paths know it.
FusedSeq2SeqOptions fused_options(const Seq2SeqOptions& options);

/// A stored model made ready for the fast path. The weights have to stay where they are.
std::unique_ptr<InferenceModel> make_inference_model(const Seq2SeqOptions& options,
                                                     const StoredWeights& weights, WeightType type);

}  // namespace nmt
