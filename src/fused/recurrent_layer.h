#pragma once

#include <cstdint>
#include <string>

#include "fused/buffer.h"
#include "fused/parameter.h"
#include "fused/weight_gradients.h"
#include "kernels/matrix.h"
#include "kernels/matrix_product.h"

namespace nmt {

enum class RecurrentCell { kGru, kLstm };

/// Parameters of one layer in one direction, as nn/recurrent.h lays them out.
struct RecurrentParameters {
  Parameter weight_ih;  // [gates · H, I]
  Parameter weight_hh;  // [gates · H, H]
  Parameter bias_ih;    // [1, gates · H]
  Parameter bias_hh;    // [1, gates · H]
};

/// Those of `prefix`, "encoder.rnn." for example, and `suffix`, "_l0_reverse" for example.
RecurrentParameters find_recurrent_parameters(const ParameterTable& parameters,
                                              const std::string& prefix, const std::string& suffix);

/// One layer of GRU or LSTM cells in one direction over packed sequences, forward and backward by
/// hand. The products with the inputs are the caller's to make, for all steps at once where he can.
///
///   begin(rows)
///   input_products() ← W_ih x          all steps or one by one
///   forward(step) …                    in the order of time
///   backward(step) …                   in the opposite order
///   add_…_gradients()                  once
///
/// A step is rows [first, first + rows) of the packed sequences. `previous` are the rows of the
/// step before, the sequences in the same order; those beyond have no step before.
class RecurrentLayer {
 public:
  RecurrentLayer(RecurrentCell cell, const RecurrentParameters& parameters);

  int64_t hidden_size() const { return parameters_.weight_hh.value.columns; }
  const RecurrentParameters& parameters() const { return parameters_; }

  void begin(int64_t rows);

  /// [rows, gates · H]
  Matrix input_products() const;

  /// States of the step; `previous` [≤ rows, H] hidden states, `previous_cell` the same of an LSTM.
  void forward(int64_t first, ConstMatrix previous, ConstMatrix previous_cell, Matrix output);

  /// c_t of an LSTM, [rows, H]
  Matrix cells() const { return cells_.matrix(); }

  /// gradient, cell_gradient [rows of the step, H], in: of the step's state; out: of `previous`.
  /// cell_gradient is an LSTM's alone.
  void backward(int64_t first, ConstMatrix previous, ConstMatrix previous_cell, Matrix gradient,
                Matrix cell_gradient);

  /// Those of W_hh and both biases; `previous` [rows, H] has zeros where there was none.
  void add_weight_gradients(ConstMatrix previous, WeightGradients& gradients) const;

  /// That of W_ih, or of the part of it that x [rows, I] met.
  void add_input_weight_gradient(const Parameter& weight_ih, ConstMatrix x,
                                 WeightGradients& gradients) const;

  /// gradient [·, I] of such an x, rows [first, …).
  void input_gradient(const Parameter& weight_ih, int64_t first, WriteMode mode,
                      Matrix gradient) const;

 private:
  Matrix gates(int64_t first, int64_t rows) const;

  RecurrentCell cell_;
  RecurrentParameters parameters_;
  Buffer gates_;            // [rows, 4H]  see kernels/recurrent_cell.h
  Buffer cells_;            // [rows, H]   of an LSTM
  Buffer hidden_products_;  // [B, 3H]     of a GRU
};

}  // namespace nmt
