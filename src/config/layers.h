#pragma once

#include <algorithm>
#include <cstdint>

#include "config/settings.h"

namespace nmt {

/// Layers of the decoder; the encoder has model.num_layers.
inline int64_t num_decoder_layers(const ModelConfig& model) {
  return model.decoder_layers == 0 ? model.num_layers : model.decoder_layers;
}

/// The layer of an encoder of L_e layers whose final state starts layer l of a decoder of L_d, all
/// counted from 0: max(0, l + L_e − L_d). Top layers correspond; what the decoder has more of
/// starts with the encoder's lowest layer.
inline int64_t corresponding_layer(int64_t l, int64_t encoder_layers, int64_t decoder_layers) {
  return std::max<int64_t>(0, l + encoder_layers - decoder_layers);
}

}  // namespace nmt
