#pragma once

#include <memory>

#include "fused/inference_model.h"
#include "nn/seq2seq.h"

namespace nmt {

/// A network on the CPU made ready for the fast path. Its parameters have to stay as they are and
/// where they are.
std::unique_ptr<InferenceModel> inference_model_of(const Seq2Seq& network, WeightType type);

}  // namespace nmt
