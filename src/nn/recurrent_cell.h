#pragma once

#include <torch/types.h>

#include "config/choices.h"

namespace nmt {

/// The parameters of a layer in one direction (nn/recurrent.h) that is computed step by step.
struct RecurrentCell {
  Cell kind = Cell::kGru;
  torch::Tensor weight_ih, weight_hh, bias_ih, bias_hh;
  // With layer normalization; otherwise undefined.
  torch::Tensor gain_ih, gain_hh;  // [gates · H]
  torch::Tensor gain_c, bias_c;    // [H]  of an LSTM
};

/// v_t of all steps: x [..., I] -> [..., gates · H]. The equations of nn/recurrent.h, with the
/// products first:
///
///   v_t = W_i x_t + b_i              u_t = W_h h_{t−1} + b_h
///   GRU    r, z = σ(v_t + u_t)       n = tanh(v_t + r ⊙ u_t)       h_t = (1 − z) ⊙ n + z ⊙ h_{t−1}
///   LSTM   i, f, o = σ(v_t + u_t)    g = tanh(v_t + u_t)           c_t = f ⊙ c_{t−1} + i ⊙ g
///          h_t = o ⊙ tanh(c_t)
///
/// where gates take their rows of v_t and u_t, and c_t is the LSTM's cell. With layer normalization
/// the products with the input and with the state before are normalized, each over all gates (Ba,
/// Kiros and Hinton 2016, section 3.1 and supplementary material):
///
///   v_t = LN(W_i x_t; gain_i, b_i)   u_t = LN(W_h h_{t−1}; gain_h, b_h)
///   h_t = o ⊙ tanh(LN(c_t; gain_c, b_c))                           of an LSTM
///   LN(y; gain, b) = gain ⊙ (y − mean(y)) / √(variance(y) + 1e-5) + b
///
/// Sockeye's LayerNormGRUCell and LayerNormLSTMCell and Marian's GRU do the same; the paper
/// normalizes a GRU's r and z separately from n.
torch::Tensor cell_input(const RecurrentCell& cell, const torch::Tensor& x);

/// One step: input v_t [B, gates · H]; replaces h_{t−1} by h_t in `hidden` [B, H] and, for an LSTM,
/// c_{t−1} by c_t in `cell_state` [B, H]. If `mask` m [B, H] is defined, W_h reads m ⊙ h_{t−1}.
void step_cell(const RecurrentCell& cell, const torch::Tensor& input, const torch::Tensor& mask,
               torch::Tensor& hidden, torch::Tensor& cell_state);

}  // namespace nmt
