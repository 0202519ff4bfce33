#pragma once

#include <memory>

#include "fused/inference_model.h"
#include "nn/seq2seq.h"

namespace nmt {

/// The fused engine's model of a network on the CPU, whose parameters must neither move nor change
/// while the model is in use.
std::unique_ptr<InferenceModel> inference_model_of(const Seq2Seq& network, WeightType type);

}  // namespace nmt
