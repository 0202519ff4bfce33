#pragma once

#include <torch/types.h>

#include "config/choices.h"

namespace nmt {

/// The parameters of a cell with layer normalization; those of a layer in nn/recurrent.h and:
struct NormalizedCell {
  Cell kind = Cell::kGru;
  torch::Tensor weight_ih, weight_hh, bias_ih, bias_hh;
  torch::Tensor gain_ih, gain_hh;  // [gates · H]
  torch::Tensor gain_c, bias_c;    // [H]  of an LSTM
};

/// LN(W_i x_t): x [..., I] -> [..., gates · H].
///
/// The products with the input and with the state before are normalised, each over all gates (Ba,
/// Kiros and Hinton 2016, section 3.1 and supplementary material):
///
///   a_t = LN(W_i x_t; g_i, b_i)      u_t = LN(W_h h_{t−1}; g_h, b_h)
///   LN(y; g, b) = g ⊙ (y − mean(y)) / √(variance(y) + 1e-5) + b
///
///   GRU    r, z = σ(a_t + u_t)       n = tanh(a_t + r ⊙ u_t)       h_t = (1 − z) ⊙ n + z ⊙ h_{t−1}
///   LSTM   i, f, o = σ(a_t + u_t)    g = tanh(a_t + u_t)           c_t = f ⊙ c_{t−1} + i ⊙ g
///          h_t = o ⊙ tanh(LN(c_t; g_c, b_c))
///
/// where gates take their rows of a_t and u_t. The biases b_i and b_h are those of the cell without
/// normalization. So do Sockeye's LayerNormGRUCell and LayerNormLSTMCell and, for the GRU, Marian;
/// the paper normalises a GRU's r and z apart from n.
torch::Tensor normalized_input(const NormalizedCell& cell, const torch::Tensor& x);

/// One step: input a_t [B, gates · H]; hidden h [B, H], and cell c [B, H] of an LSTM, move on.
void step_normalized(const NormalizedCell& cell, const torch::Tensor& input, torch::Tensor& hidden,
                     torch::Tensor& cell_state);

}  // namespace nmt
