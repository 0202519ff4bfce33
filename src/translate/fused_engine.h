#pragma once

#include <memory>

#include "checkpoint/stored_model.h"
#include "fused/inference_model.h"
#include "translate/engine.h"

namespace nmt {

/// Greedy and beam search by hand-written steps on a CPU. `callers`, from 1 to `threads`, search at
/// once and share the threads. Throws Error where the weights are not finite, or where int8 is
/// asked for and this program has none.
std::unique_ptr<Engine> make_fused_engine(const StoredModel& model, WeightType type, int threads,
                                          int callers);

}  // namespace nmt
