#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fused/inference_model.h"
#include "fused/layer_norm.h"
#include "fused/parameter.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// Attention of a decoder layer to the source.
struct PackedSourceAttention {
  PackedWeight query;   // [H, H]
  PackedWeight memory;  // [2H, H]  key, value: of the encoder's output
  PackedWeight output;  // [H, H]
  InferenceLayerNorm norm;
};

/// Weights of a layer (nn/transformer_layer.h).
struct PackedTransformerLayer {
  PackedWeight self_input;   // [3H, H]  query, key, value
  PackedWeight self_output;  // [H, H]
  InferenceLayerNorm self_norm;
  std::optional<PackedSourceAttention> source;  // of the decoder
  PackedWeight widen;                           // [F, H]
  PackedWeight narrow;                          // [H, F]
  const float* widen_bias;
  const float* narrow_bias;
  InferenceLayerNorm feed_forward_norm;
};

/// The Transformer of nn/transformer.h, packed.
class TransformerInferenceModel : public InferenceModel {
 public:
  TransformerInferenceModel(const ModelConfig& model, const ParameterTable& parameters,
                            WeightType type);

  std::unique_ptr<InferenceSession> make_session() const override;

  ModelConfig config;
  ConstMatrix source_embedding;  // [V, H]
  ConstMatrix target_embedding;  // [V, H]
  std::vector<PackedTransformerLayer> encoder;
  std::vector<PackedTransformerLayer> decoder;
  // The norms of the last layer's outputs; none with post-norm.
  std::optional<InferenceLayerNorm> source_norm;
  std::optional<InferenceLayerNorm> target_norm;
};

}  // namespace nmt
