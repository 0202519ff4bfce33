#pragma once

#include <memory>

#include "checkpoint/stored_weights.h"
#include "fused/inference_model.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// The shape of a model as the fused paths know it.
FusedSeq2SeqOptions fused_options(const Seq2SeqOptions& options);

/// A stored model made ready for the fast path. The weights have to stay where they are.
std::unique_ptr<InferenceModel> make_inference_model(const Seq2SeqOptions& options,
                                                     const StoredWeights& weights, WeightType type);

}  // namespace nmt
