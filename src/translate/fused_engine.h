#pragma once

#include <memory>

#include "fused/inference_model.h"
#include "translate/engine.h"

namespace nmt {

/// Search, sampling and scoring by hand-written kernels on a CPU. Up to `callers` (1 to `threads`)
/// calls run at once and share the threads. Throws Error if the weights are not finite, or for int8
/// if this build does not support it.
std::unique_ptr<Engine> make_fused_engine(const EngineModels& models, WeightType type, int threads,
                                          int callers);

}  // namespace nmt
