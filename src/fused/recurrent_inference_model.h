#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fused/inference_model.h"
#include "fused/layer_norm.h"
#include "fused/packed_attention.h"
#include "fused/packed_decoder_stack.h"
#include "fused/parameter.h"
#include "fused/recurrent_inference_layer.h"
#include "fused/token_table.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// The recurrent model of nn/recurrent_seq2seq.h, packed.
class RecurrentInferenceModel : public InferenceModel {
 public:
  RecurrentInferenceModel(const ModelConfig& model, const ParameterTable& parameters,
                          WeightType type);

  std::unique_ptr<InferenceSession> make_session() const override;

  int64_t hidden_size() const { return concat_state.outputs(); }

  /// W^l and b^l of nn/first_state.h. In float32, since each is used only once per sentence.
  struct Bridge {
    PackedWeight weight;
    const float* bias;
  };

  ModelConfig config;
  // The encoder by layer and direction. The first layer looks up W_ih emb in a table and has no
  // W_ih.
  std::array<std::unique_ptr<TokenTable>, 2> source_tokens;
  std::vector<std::array<RecurrentWeights, 2>> encoder;
  std::vector<Bridge> bridge;  // by layer; empty if model.decoder_init uses none
  PackedAttention attention;
  PackedDecoderStack decoder;  // with input feeding, its first layer also reads h̃_{t−1}
  PackedWeight concat_state;   // W_ch [H, H]: columns of W_c for h_t
  const float* concat_bias;    // b_c [H]
  // Of h_src and of the top layer's h_t; none without layer_norm.
  std::optional<InferenceLayerNorm> source_norm;
  std::optional<InferenceLayerNorm> decoder_norm;
};

}  // namespace nmt
