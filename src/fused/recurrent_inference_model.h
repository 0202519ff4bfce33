#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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
  RecurrentInferenceModel(const ModelConfig& config, ParameterTable parameters, WeightType type);

  std::unique_ptr<InferenceSession> make_session() const override;

  const ModelConfig& config() const { return config_; }
  int64_t hidden_size() const { return concat_state_.outputs(); }

  /// By layer and direction. The first layer looks up W_ih emb in a TokenTable and has no W_ih.
  const RecurrentWeights& encoder(size_t layer, size_t direction) const {
    return encoder_[2 * layer + direction];
  }
  TokenTable& source_tokens(size_t direction) const { return *source_tokens_[direction]; }
  const PackedAttention& attention() const { return attention_; }

  /// W^l and b^l of nn/first_state.h, by layer; empty if model.decoder_init uses none. In float32,
  /// since each is used only once per sentence.
  struct Bridge {
    PackedWeight weight;
    const float* bias;
  };
  const std::vector<Bridge>& bridge() const { return bridge_; }
  /// The norms of h_src and of the top layer's h_t; none without layer_norm.
  const std::optional<InferenceLayerNorm>& source_norm() const { return source_norm_; }
  const std::optional<InferenceLayerNorm>& decoder_norm() const { return decoder_norm_; }

  /// With input feeding, its first layer also reads h̃_{t−1}.
  const PackedDecoderStack& decoder() const { return decoder_; }
  const PackedWeight& concat_state() const { return concat_state_; }
  const float* concat_bias() const { return value_of("concat.bias").data; }

 private:
  ConstMatrix value_of(const std::string& name) const { return parameters_.at(name).value; }
  void pack_encoder(WeightType type);

  ModelConfig config_;
  ParameterTable parameters_;
  std::array<std::unique_ptr<TokenTable>, 2> source_tokens_;
  std::vector<RecurrentWeights> encoder_;
  PackedAttention attention_;
  std::vector<Bridge> bridge_;
  std::optional<InferenceLayerNorm> source_norm_;
  std::optional<InferenceLayerNorm> decoder_norm_;
  PackedDecoderStack decoder_;
  PackedWeight concat_state_;  // W_ch [H, H]: columns of W_c for h_t
};

}  // namespace nmt
