#pragma once

#include <vector>

#include "fused/buffer.h"
#include "fused/embedding.h"
#include "fused/network.h"
#include "fused/sequence_layer.h"

namespace nmt {

/// The language model of nn/language_model.h.
class LanguageNetwork : public FusedNetwork {
 public:
  LanguageNetwork(const ModelConfig& model, const ParameterTable& parameters);

  ConstMatrix forward(const PackedBatch& share, const Dropout& dropout) override;
  bool backward_decoder(Matrix gradient, WeightGradients& gradients) override;
  bool backward_encoder(WeightGradients&) override { return false; }

 private:
  struct Layer {
    SequenceLayer recurrent;
    ConstMatrix input;      // [rows, I]
    Buffer output;          // [rows, H]  h_t
    Buffer dropped;         // [rows, H]  input of the next layer, or h̃
    Buffer input_gradient;  // [rows, I]
  };

  const PackedBatch* share_ = nullptr;
  Dropout dropout_;
  FusedEmbedding embedding_;
  Cell cell_;
  bool residual_;  // nn/recurrent.h
  std::vector<Layer> layers_;
  Buffer residual_output_;  // [rows, H]  y_t of the layers so far, with residual connections
  Buffer carried_;          // [B, H]  gradient of the state between two steps
  Buffer carried_cell_;     // [B, H]
};

}  // namespace nmt
