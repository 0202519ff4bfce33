#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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
  TransformerInferenceModel(const ModelConfig& config, const ParameterTable& parameters,
                            WeightType type);

  std::unique_ptr<InferenceSession> make_session() const override;

  const ModelConfig& config() const { return config_; }
  ConstMatrix source_embedding() const { return source_embedding_; }
  ConstMatrix target_embedding() const { return target_embedding_; }
  const std::vector<PackedTransformerLayer>& encoder() const { return encoder_; }
  const std::vector<PackedTransformerLayer>& decoder() const { return decoder_; }

  /// The norms of the last layer's outputs; none with post-norm.
  const std::optional<InferenceLayerNorm>& source_norm() const { return source_norm_; }
  const std::optional<InferenceLayerNorm>& target_norm() const { return target_norm_; }

 private:
  ModelConfig config_;
  ConstMatrix source_embedding_;  // [V, H]
  ConstMatrix target_embedding_;  // [V, H]
  std::vector<PackedTransformerLayer> encoder_;
  std::vector<PackedTransformerLayer> decoder_;
  std::optional<InferenceLayerNorm> source_norm_;
  std::optional<InferenceLayerNorm> target_norm_;
};

}  // namespace nmt
