#pragma once

#include <vector>

#include "attentions/walk.h"
#include "checkpoint/stored_model.h"
#include "explain/explanation.h"
#include "explain/gru.h"

namespace nmt {

/// Explains a GRU of two units, with the weights of worked_gru(), as it reads the words.
Explanation walk_gru(const WalkInput& input);

/// Weights that are small integers, for computing by hand.
GruWeights worked_gru();

/// The first layer of a model's encoder as it reads a sentence, in both directions.
/// Throws Error, with `name` for the model, unless it is a recurrent model with GRU cells without
/// layer normalization.
Explanation explain_encoder_gru(const StoredModel& model, const std::string& name,
                                const std::string& sentence);

}  // namespace nmt
