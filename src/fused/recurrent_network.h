#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fused/decoder.h"
#include "fused/embedding.h"
#include "fused/encoder.h"
#include "fused/first_state.h"
#include "fused/layer_norm.h"
#include "fused/network.h"
#include "fused/own_tokens.h"

namespace nmt {

/// The recurrent model of nn/recurrent_seq2seq.h.
class RecurrentNetwork : public FusedNetwork {
 public:
  RecurrentNetwork(const ModelConfig& model, const ParameterTable& parameters);

  ConstMatrix forward(const PackedBatch& share, const Dropout& dropout) override;
  FusedAttention* attention() override { return &decoder_.attention(); }
  bool backward_decoder(Matrix gradient, WeightGradients& gradients) override;
  bool backward_encoder(WeightGradients& gradients) override;

 private:
  std::vector<int64_t> feed_own_tokens(int64_t step, ConstMatrix attentional_hidden);

  const PackedBatch* share_ = nullptr;
  FusedEmbedding source_embedding_;
  FusedEmbedding target_embedding_;
  FusedEncoder encoder_;
  FusedFirstState first_state_;
  std::optional<FusedLayerNorm> norm_;  // of h_src
  Buffer normalized_;                   // [source rows, H]
  FusedDecoder decoder_;
  DecoderGradients decoder_gradients_;
  OwnTokens own_tokens_;
  std::vector<int64_t> target_input_;  // of the share, with the model's own tokens
};

}  // namespace nmt
