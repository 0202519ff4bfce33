#pragma once

#include <cstdint>

#include "kernels/matrix.h"

namespace nmt {

/// The element-wise halves of one step of a recurrent cell, over R rows of width H. The caller
/// computes the products with the weights: W_i x in `gates`, W_h h in `hidden` (GRU) or added to
/// `gates` (LSTM).
///
/// `previous` [R′, H], R′ ≤ R, holds the states before the step; the other rows have no previous
/// state, i.e. zeros.

/// One step of PyTorch's GRU (equations in nn/recurrent.h).
///
/// gates [R, 4H]  in: r, z, n parts of W_i x (3H); out: r, z, n and W_hn h + b_hn, for the gradient
/// hidden [R′, 3H] W_h h;  biases [3H];  output [R, H] h_t
void gru_forward(Matrix gates, ConstMatrix hidden, const float* input_bias,
                 const float* hidden_bias, ConstMatrix previous, Matrix output);

/// The gradient of gru_forward().
///
/// gates [R, 4H]  in: the output of gru_forward(); out: the gradients of each non-linearity's
///                input: r, z, n through h_{t−1}, n through x_t. So the gradient of
///                W_h h is columns [0, 3H), that of W_i x is [0, 2H) and [3H, 4H).
/// gradient [R, H] in: of h_t; out: the part for h_{t−1} that does not pass through W_h
void gru_backward(Matrix gates, ConstMatrix previous, Matrix gradient);

/// One step of PyTorch's LSTM:  i, f, o = σ(…)   g = tanh(…)   c_t = f c_{t−1} + i g
/// h_t = o tanh(c_t)
///
/// gates [R, 4H]  in: i, f, g, o parts of W_i x + W_h h; out: i, f, g, o
/// previous_cell [R′, H] c_{t−1};  cell [R, H] c_t;  output [R, H] h_t
void lstm_forward(Matrix gates, const float* input_bias, const float* hidden_bias,
                  ConstMatrix previous_cell, Matrix cell, Matrix output);

/// The gradient of lstm_forward(). `gates` out: the gradients of the inputs of the non-linearities.
/// gradient [R, H] of h_t;  cell_gradient [R, H] in: of c_t from later steps; out: of c_{t−1}
/// Without data in `gradient`, cell_gradient must already be the whole gradient of c_t, and `gates`
/// must hold the gradient of o, which is kept.
void lstm_backward(Matrix gates, ConstMatrix previous_cell, ConstMatrix cell, ConstMatrix gradient,
                   Matrix cell_gradient);

/// The output h_t = o tanh(n_t) of an LSTM whose normalized cell n_t replaces c_t; after
/// lstm_forward().
///
/// n [R, H];  output [R, H] h_t
void lstm_output_forward(ConstMatrix gates, ConstMatrix n, Matrix output);

/// The gradient of lstm_output_forward(); call before lstm_backward() without `gradient`. `gates`
/// out: o is replaced by the gradient of its input. gradient [R, H] in: of h_t; out: of n_t
void lstm_output_backward(Matrix gates, ConstMatrix n, Matrix gradient);

// Inference steps, N rows of hypotheses. Hypotheses with a common parent share its products.

/// The row of an operand that row i reads: `rows[i]`, or i if `rows` is null.
inline int64_t operand_row(const int32_t* rows, int64_t i) { return rows == nullptr ? i : rows[i]; }

/// The cell's input.
struct CellInput {
  ConstMatrix product;            // [·, gates · H]  W_i x without a bias; none: no data
  const int32_t* rows = nullptr;  // [N]
  const float* const* addends;  // [N]  rows of gates · H to add: the input bias, or W_e emb + bias
                                // of the last token
};

/// The cell's previous state.
struct CellState {
  ConstMatrix product;            // [·, gates · H]  W_h h without its bias
  ConstMatrix previous;           // [·, H]  h_{t−1} of a GRU, c_{t−1} of an LSTM
  const int32_t* rows = nullptr;  // [N]  of both
  const float* bias = nullptr;
};

/// output [N, H]
void gru_step(const CellInput& input, const CellState& state, Matrix output);

/// cell, output [N, H]
void lstm_step(const CellInput& input, const CellState& state, Matrix cell, Matrix output);

}  // namespace nmt
