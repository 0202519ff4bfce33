#pragma once

#include <memory>
#include <string>

#include "checkpoint/stored_weights.h"
#include "fused/inference_model.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// Why the fused engine does not support this model, for a message; empty if it does.
std::string fused_unsupported_reason(const Seq2SeqOptions& options);

/// The fused engine's model of a stored one. `weights` must outlive it: not all of them are copied.
std::unique_ptr<InferenceModel> make_inference_model(const Seq2SeqOptions& options,
                                                     const StoredWeights& weights, WeightType type);

}  // namespace nmt
