#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/dropout.h"
#include "fused/packed_sequences.h"
#include "fused/parameter.h"
#include "fused/sequence_layer.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// The bidirectional encoder of nn/encoder.h over packed sequences, forward and backward.
class FusedEncoder {
 public:
  FusedEncoder(const ModelConfig& model, const ParameterTable& parameters);

  /// embedded [rows, E] -> h_src [rows, H]; both and `packed` must stay unchanged until backward().
  ConstMatrix forward(const PackedSequences& packed, ConstMatrix embedded, const Dropout& dropout);

  /// Writes the final states of the sequences at the first B of `places` to state [B, H], the
  /// directions concatenated or summed. `state` has the decoder's layers; each gets the state of
  /// the corresponding encoder layer (config/layers.h).
  void final_state(const std::vector<int64_t>& places, StackState& state) const;

  /// Takes the gradients of h_src, which it overwrites, and of the final states; records the
  /// parameters' gradients and returns that of `embedded`.
  Matrix backward(const std::vector<int64_t>& places, const StackState& state_gradient,
                  Matrix output_gradient, WeightGradients& gradients);

 private:
  struct Layer {
    std::array<SequenceLayer, 2> directions;
    ConstMatrix input;      // [rows, I]
    Buffer output;          // [rows, 2D]  of both directions, D each
    Buffer dropped;         // [rows, 2D]  input of the next layer
    Buffer input_gradient;  // [rows, I]
  };

  void set_carried_gradient(size_t layer, size_t direction, const std::vector<int64_t>& places,
                            const StackState& state_gradient);

  bool summed_;    // the directions are summed: each has H columns, not H/2
  bool residual_;  // nn/recurrent.h
  std::vector<Layer> layers_;
  const PackedSequences* packed_ = nullptr;
  Dropout dropout_;
  Buffer residual_output_;  // [rows, 2D]  y of the layers so far, with residual connections
  Buffer sum_;              // [rows, H]
  Buffer carried_;          // [B, D]  gradient of the state between two steps
  Buffer carried_cell_;     // [B, D]
};

}  // namespace nmt
