#pragma once

#include "config/settings.h"

namespace nmt {

/// Dropout rates of a model's positions; a Transformer has one for all.
struct DropoutRates {
  double embedding = 0.0;
  double recurrent = 0.0;  // between layers
  double output = 0.0;     // of h̃_t
  double state = 0.0;      // of h_{t−1} within a layer, where W_hh reads it
};

/// A negative rate stands for model.dropout. state_dropout is used as it is; 0 disables it.
inline DropoutRates dropout_rates(const ModelConfig& model) {
  const auto rate = [&](double own) { return own < 0 ? model.dropout : own; };
  return {rate(model.embedding_dropout), rate(model.recurrent_dropout), rate(model.output_dropout),
          model.state_dropout};
}

/// Sets all dropout to 0, as for inference.
inline void remove_dropout(ModelConfig& model) {
  model.dropout = model.state_dropout = model.word_dropout = model.layer_dropout = 0.0;
  model.embedding_dropout = model.recurrent_dropout = model.output_dropout = -1.0;
  model.variational_dropout = false;
}

}  // namespace nmt
