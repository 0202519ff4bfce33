#pragma once

#include <vector>

#include "attentions/walk.h"
#include "checkpoint/stored_model.h"
#include "explain/explanation.h"
#include "explain/gru.h"

namespace nmt {

/// A GRU of two units, with small integers as weights, that reads the words.
Explanation walk_gru(const WalkInput& input);

/// The small integers.
GruWeights worked_gru();

/// The first layer of a model's encoder as it reads a sentence, in both directions.
/// Throws Error, which names the model, unless it is a recurrent one with GRU cells.
Explanation explain_encoder_gru(const StoredModel& model, const std::string& name,
                                const std::string& sentence);

}  // namespace nmt
