#pragma once

#include <cstddef>
#include <cstdint>

#include "fused/buffer.h"
#include "fused/packed_sequences.h"
#include "fused/recurrent_layer.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// A RecurrentLayer in one direction over packed sequences whose inputs are all known, so that the
/// products with them are computed for all steps together. D is its hidden size.
class SequenceLayer {
 public:
  SequenceLayer(Cell cell, const RecurrentParameters& parameters, size_t direction);

  int64_t hidden_size() const { return recurrent_.hidden_size(); }

  /// input [rows, I] -> output [rows, D]; both and `packed` must stay unchanged until backward().
  void forward(const PackedSequences& packed, ConstMatrix input, const StateDropout& dropout,
               Matrix output);

  /// c_t, [rows, D]; no data without an LSTM
  Matrix cells() const { return recurrent_.cells(); }

  /// Records the gradients of the parameters. output_gradient [rows, D]; carried, carried_cell [B,
  /// D] hold the gradients of the final states and are overwritten; carried_cell is for LSTMs only.
  void backward(ConstMatrix output_gradient, Matrix carried, Matrix carried_cell,
                WeightGradients& gradients);

  /// The gradient of the input, [rows, I], after backward().
  void input_gradient(WriteMode mode, Matrix gradient) const;

 private:
  size_t direction_;
  RecurrentLayer recurrent_;
  const PackedSequences* packed_ = nullptr;
  ConstMatrix input_;  // [rows, I]
  Matrix output_;      // [rows, D]
  Buffer previous_;    // [rows, D]  states of the previous step
};

}  // namespace nmt
