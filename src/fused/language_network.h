#pragma once

#include <vector>

#include "fused/buffer.h"
#include "fused/embedding.h"
#include "fused/network.h"
#include "fused/recurrent_layer.h"

namespace nmt {

/// The language model of nn/language_model.h. All inputs are known, so the products with them are
/// computed for all steps together.
class LanguageNetwork : public FusedNetwork {
 public:
  LanguageNetwork(const ModelConfig& model, const ParameterTable& parameters);

  ConstMatrix forward(const PackedBatch& share, const Dropout& dropout) override;
  bool backward_decoder(Matrix gradient, WeightGradients& gradients) override;
  bool backward_encoder(WeightGradients&) override { return false; }

 private:
  struct Layer {
    RecurrentLayer recurrent;
    ConstMatrix input;      // [rows, I]
    Buffer output;          // [rows, H]  h_t
    Buffer dropped;         // [rows, H]  input of the next layer, or h̃
    Buffer previous;        // [rows, H]  states of the previous step
    Buffer input_gradient;  // [rows, I]
  };

  void run(Layer& layer, const StateDropout& dropout);
  void backward(Layer& layer, ConstMatrix output_gradient, WeightGradients& gradients);

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
