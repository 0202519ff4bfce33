#pragma once

#include <memory>

#include "fused/inference_model.h"
#include "translate/engine.h"

namespace nmt {

/// Search, sampling and scores by hand-written steps on a CPU. `callers`, from 1 to `threads`,
/// search at once and share the threads. Throws Error where the weights are not finite, or where
/// int8 is asked for and this program has none.
std::unique_ptr<Engine> make_fused_engine(const EngineModels& models, WeightType type, int threads,
                                          int callers);

}  // namespace nmt
