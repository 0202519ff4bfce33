#pragma once

#include <vector>

#include "fused/buffer.h"
#include "fused/encoder.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// W^l, b^l of nn/first_state.h for each layer of the decoder; empty if model.decoder_init uses
/// none.
struct BridgeLayer {
  Parameter weight;  // [H, H]
  Parameter bias;    // [1, H]
};
std::vector<BridgeLayer> find_bridge(const ModelConfig& model, const ParameterTable& parameters);

/// The decoder's first state of nn/first_state.h over packed sequences, forward and backward.
class FusedFirstState {
 public:
  FusedFirstState(const ModelConfig& model, const ParameterTable& parameters);

  /// Writes the first state to `state` ([B, H] a layer); it and the share must stay unchanged until
  /// backward(). states [source rows, H]: the encoder's, before layer normalization.
  void forward(const PackedBatch& share, const FusedEncoder& encoder, ConstMatrix states,
               StackState& state);

  /// of_state in: the gradient of the decoder's first state; out: of the encoder's final state.
  /// Adds to the gradient of the encoder's states, of_states [source rows, H], and records the
  /// gradients of the parameters.
  void backward(StackState& of_state, Matrix of_states, WeightGradients& gradients);

 private:
  struct Layer {
    BridgeLayer bridge;
    Buffer input;     // [B, H]  f^l
    Matrix output;    // [B, H]  s_0^l
    Buffer gradient;  // [B, H]  of W^l · + b^l
  };

  void take_means(ConstMatrix states, int64_t targets);
  void spread_mean_gradient(Matrix of_states) const;

  DecoderInit kind_;
  std::vector<Layer> layers_;
  const PackedBatch* share_ = nullptr;
  Buffer means_;          // [B, H]  m
  Buffer mean_gradient_;  // [B, H]
};

}  // namespace nmt
