#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "fused/buffer.h"
#include "fused/dropout.h"
#include "fused/layer_norm.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"
#include "kernels/matrix.h"
#include "kernels/matrix_product.h"

namespace nmt {

/// Parameters of one layer in one direction, in the layout of nn/recurrent.h.
struct RecurrentParameters {
  Parameter weight_ih;  // [gates · H, I]
  Parameter weight_hh;  // [gates · H, H]
  Parameter bias_ih;    // [1, gates · H]
  Parameter bias_hh;    // [1, gates · H]
  // Only for cells with layer normalization (nn/recurrent_cell.h).
  Parameter gain_ih;  // [1, gates · H]
  Parameter gain_hh;  // [1, gates · H]
  Parameter gain_c;   // [1, H]  of an LSTM
  Parameter bias_c;   // [1, H]

  bool is_normalized() const { return gain_ih.exists(); }
};

/// The norms of cells with layer normalization: FusedLayerNorms or InferenceLayerNorms. The first
/// two have no bias, because the cells add theirs.
template <class Norm>
struct CellNorms {
  explicit CellNorms(const RecurrentParameters& parameters)
      : input(parameters.gain_ih, {}), hidden(parameters.gain_hh, {}) {
    if (parameters.gain_c.exists()) cell.emplace(parameters.gain_c, parameters.bias_c);
  }

  Norm input;
  Norm hidden;
  std::optional<Norm> cell;  // of an LSTM
};

/// The parameters PREFIXweight_ih_l{layer}[_reverse] and so on, of a prefix such as "encoder.rnn.".
RecurrentParameters find_recurrent_parameters(const ParameterTable& parameters,
                                              const std::string& prefix, int64_t layer,
                                              bool reverse = false);

/// States of all layers of a stack, [B, H] each; `cell` is for LSTMs only.
struct StackState {
  std::vector<Matrix> hidden;
  std::vector<Matrix> cell;
};

/// Residual connections (nn/recurrent.h): replaces y^{l−1} by y^l = h^0 + … + h^l; [rows, ·].
void add_layer(size_t layer, ConstMatrix hidden, Matrix output);
Matrix add_layer(size_t layer, ConstMatrix hidden, Buffer& output);

/// One layer of GRU or LSTM cells in one direction over packed sequences, with hand-written forward
/// and backward passes. The caller computes the products with the inputs, for all steps together if
/// possible.
///
///   begin(rows, dropout)
///   input_products() ← W_ih x          for all steps or step by step
///   forward(step) …                    in the order of time
///   backward(step) …                   in reverse order
///   add_…_gradients()                  once
///
/// A step is rows [first, first + rows) of the packed sequences. `previous` are the rows of the
/// previous step, sequences in the same order; the sequences beyond them have no previous step.
class RecurrentLayer {
 public:
  RecurrentLayer(Cell cell, const RecurrentParameters& parameters);

  int64_t hidden_size() const { return parameters_.weight_hh.value.columns; }
  const RecurrentParameters& parameters() const { return parameters_; }

  void begin(int64_t rows, const StateDropout& dropout);

  /// [rows, gates · H]
  Matrix input_products() const;

  /// States of the step. previous [≤ rows, H] hidden states, previous_cell likewise for an LSTM.
  void forward(int64_t first, ConstMatrix previous, ConstMatrix previous_cell, Matrix output);

  /// c_t, [rows, H]; no data without an LSTM
  Matrix cells() const { return cells_.matrix(); }

  /// gradient, cell_gradient [rows of the step, H]  in: of the step's state; out: of `previous`.
  /// cell_gradient is used by LSTMs only.
  void backward(int64_t first, ConstMatrix previous, ConstMatrix previous_cell, Matrix gradient,
                Matrix cell_gradient);

  /// Records the gradients of W_hh and both biases. previous [rows, H], zeros at the first step;
  /// overwritten by what W_hh has read, i.e. with state dropout applied.
  void add_weight_gradients(Matrix previous, WeightGradients& gradients) const;

  /// Records the gradient of W_ih, or of its columns for x [rows, I].
  void add_input_weight_gradient(const Parameter& weight_ih, ConstMatrix x,
                                 WeightGradients& gradients) const;

  /// gradient [·, I] of x, rows [first, …).
  void input_gradient(const Parameter& weight_ih, int64_t first, WriteMode mode,
                      Matrix gradient) const;

 private:
  ConstMatrix drop_state(int64_t first, ConstMatrix previous);
  ConstMatrix hidden_products(int64_t first, ConstMatrix read);
  void backward_through_hidden_weight(int64_t first, ConstMatrix of_products, WriteMode mode,
                                      Matrix of_previous);
  Matrix unnormalize(int64_t first, ConstMatrix step, int64_t rows_before);

  Cell cell_;
  RecurrentParameters parameters_;
  std::optional<CellNorms<FusedLayerNorm>> norms_;
  StateDropout dropout_;
  Buffer gates_;            // [rows, 4H]  see kernels/recurrent_cell.h
  Buffer cells_;            // [rows, H]   of an LSTM
  Buffer hidden_products_;  // [B, gates · H]  unless they are summed in gates_
  Buffer dropped_state_;    // [B, H]  with state dropout: what W_hh reads, or its gradient
  // With layer normalization:
  Buffer seen_cells_;  // [rows, H]          normalized c_t of an LSTM
  Buffer of_input_;    // [rows, gates · H]  gradient of W_ih x, unnormalized
  Buffer of_hidden_;   // [rows, gates · H]  gradient of W_hh h_{t−1}, unnormalized
};

}  // namespace nmt
