#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fused/buffer.h"
#include "fused/layer_norm.h"
#include "fused/network.h"
#include "fused/own_tokens.h"
#include "fused/sentence_rows.h"
#include "fused/sinusoidal_positions.h"
#include "fused/transformer_layer.h"

namespace nmt {

/// The Transformer of nn/transformer.h.
class TransformerNetwork : public FusedNetwork {
 public:
  TransformerNetwork(const ModelConfig& model, const ParameterTable& parameters);

  ConstMatrix forward(const PackedBatch& share, const Dropout& dropout) override;
  bool backward_decoder(Matrix gradient, WeightGradients& gradients) override;
  bool backward_encoder(WeightGradients& gradients) override;

 private:
  /// Embeddings, layers and last norm of the source or the target.
  struct Side {
    Parameter embedding;
    DropoutSite embedding_site;
    DropoutSite layer_site;
    std::vector<TransformerNetworkLayer> layers;
    std::optional<FusedLayerNorm> norm;  // with pre-norm

    SentenceRows rows;
    std::vector<int64_t> ids;  // [rows]
    Buffer embedded;           // [rows, H]
    Buffer output;             // [rows, H]
    Buffer gradient;           // [rows, H]
    size_t layers_left = 0;    // of the backward pass
  };

  Side make_side(const ModelConfig& model, const ParameterTable& parameters, bool is_source);
  void embed(Side& side);
  void feed_own_tokens(const PackedBatch& share, const SourceStates& source);
  Matrix pack_target(ConstMatrix states);
  Matrix run_layers(Side& side, const SourceStates& source);
  bool backward_layer(Side& side, Matrix source_gradient, WeightGradients& gradients);
  void backward_embedding(Side& side, WeightGradients& gradients);
  int64_t width() const { return source_.embedding.value.columns; }

  Dropout dropout_;
  SinusoidalPositions positions_;
  Side source_;
  Side target_;
  SentenceRows attended_;  // those of the source of each target
  TransformerWorkspace workspace_;
  Buffer attentional_hidden_;  // [target rows, H]  h̃ in packed order
  OwnTokens own_tokens_;
};

}  // namespace nmt
