#pragma once

#include <algorithm>
#include <cstdint>

#include "config/settings.h"

namespace nmt {

/// Number of decoder layers; the encoder has model.num_layers.
inline int64_t num_decoder_layers(const ModelConfig& model) {
  return model.decoder_layers == 0 ? model.num_layers : model.decoder_layers;
}

/// The encoder layer whose final state initializes decoder layer l: max(0, l + L_e − L_d), counted
/// from 0, with L_e encoder and L_d decoder layers. Top layers correspond; extra decoder layers use
/// the lowest encoder layer.
inline int64_t corresponding_layer(int64_t l, int64_t encoder_layers, int64_t decoder_layers) {
  return std::max<int64_t>(0, l + encoder_layers - decoder_layers);
}

}  // namespace nmt
